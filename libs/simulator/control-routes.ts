import type { ServerResponse } from 'node:http';
import { isLocalHost } from '#libs/local-hosts';
import { answerControl } from './answers.js';
import { ControlError, type ControlRequest, jsonBody, wholeNumber } from './control-request.js';
import { FaultSyntaxError } from './faults.js';
import type { LedgerEntry } from './ledger.js';
import { ReplyError } from './replies.js';
import {
  handleConversation,
  handleInbound,
  handleReply,
  handleTemplates,
  handleUserChange,
} from './sandbox-routes.js';
import type { SimulatorState } from './state.js';
import { TemplateSyntaxError } from './templates.js';

type Handler = (
  state: SimulatorState,
  request: ControlRequest,
  response: ServerResponse,
  baseUrl: string,
) => void;

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  [
    'GET rules',
    (state, _request, response) => answerControl(response, 200, { rules: state.rules.list() }),
  ],
  [
    'POST rules',
    (state, request, response) => answerControl(response, 200, state.rules.add(jsonBody(request))),
  ],
  [
    'DELETE rules',
    (state, request, response) => {
      const id = request.path[1];
      if (id === undefined) state.rules.clear();
      else if (!state.rules.delete(Number(id))) {
        throw new ControlError(404, `there is no rule ${id}`);
      }
      answerControl(response, 200, { success: true });
    },
  ],
  ['GET messages', (state, { query }, response) => listMessages(state, query, response)],
  ['POST messages', handleReply],
  [
    'DELETE messages',
    (state, _request, response) => {
      state.ledger.clear();
      state.conversations.clear();
      answerControl(response, 200, { success: true });
    },
  ],
  ['POST inbound', handleInbound],
  ['GET conversation', handleConversation],
  [
    'GET stats',
    (state, _request, response) =>
      answerControl(response, 200, {
        ...state.ledger.stats(),
        webhooks: state.webhooks?.stats() ?? null,
      }),
  ],
  [
    'GET ledger',
    (state, request, response) => {
      const lines = state.ledger.lines(wholeNumber(request.query, 'after', 0));
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      streamLines(lines, response);
    },
  ],
  [
    'GET numbers',
    (state, _request, response) => answerControl(response, 200, { numbers: state.numbers.list() }),
  ],
  [
    'PUT numbers',
    (state, request, response) =>
      answerControl(response, 200, state.numbers.learn(jsonBody(request))),
  ],
  [
    'GET users',
    (state, { query }, response) =>
      answerControl(response, 200, { users: state.users.list(query.get('phone')) }),
  ],
  [
    'PUT users',
    (state, request, response) => answerControl(response, 200, state.users.put(jsonBody(request))),
  ],
  ['POST users', handleUserChange],
  ['PUT templates', handleTemplates],
  [
    'POST reset',
    (state, request, response) => {
      const { reports = true } = (jsonBody(request) ?? { reports: null }) as { reports?: unknown };
      if (typeof reports !== 'boolean')
        throw new ControlError(400, 'reports must be true or false');
      state.reset({ reports });
      answerControl(response, 200, { success: true });
    },
  ],
  [
    'POST receiver',
    (state, request, response) => {
      state.receiver.take(request.headers, request.raw);
      answerControl(response, 200, { received: true });
    },
  ],
  [
    'GET receiver',
    (state, { query }, response) => {
      const after = wholeNumber(query, 'after', 0);
      const requests = state.receiver.list(after, wholeNumber(query, 'limit', 1000));
      answerControl(response, 200, { requests });
    },
  ],
  [
    'DELETE receiver',
    (state, _request, response) => {
      state.receiver.clear();
      answerControl(response, 200, { success: true });
    },
  ],
]);

/** Answers everything under `/_simulator/`. */
export const handleControl = (
  state: SimulatorState,
  request: ControlRequest,
  response: ServerResponse,
  baseUrl: string,
): void => {
  const handler = handlers.get(`${request.method} ${request.path[0] ?? ''}`);
  try {
    if (handler === undefined) {
      const path = request.path.join('/');
      throw new ControlError(404, `there is no ${request.method} /_simulator/${path}`);
    }
    refuseForeignPages(request);
    handler(state, request, response, baseUrl);
  } catch (error) {
    const http = httpOf(error);
    if (http === null || !(error instanceof Error)) throw error;
    answerControl(response, http, { error: { message: error.message } });
  }
};

/** A web page in a browser on this machine must not steer the simulator. */
const refuseForeignPages = ({ headers, raw }: ControlRequest): void => {
  if (!isLocalHost(headers.host)) throw new ControlError(403, 'this host name is not local');
  if (raw !== '' && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new ControlError(415, 'the body must be sent with Content-Type: application/json');
  }
};

const httpOf = (error: unknown): number | null => {
  if (error instanceof ControlError) return error.http;
  const isBadRequest =
    error instanceof FaultSyntaxError ||
    error instanceof TemplateSyntaxError ||
    error instanceof ReplyError ||
    error instanceof RangeError ||
    error instanceof URIError;
  return isBadRequest ? 400 : null;
};

const listMessages = (
  state: SimulatorState,
  query: URLSearchParams,
  response: ServerResponse,
): void => {
  const after = wholeNumber(query, 'after', 0);
  const limit = Math.min(wholeNumber(query, 'limit', 100), 20_000);
  const to = query.get('to')?.replaceAll(/\D/g, '') ?? '';
  const messages: unknown[] = [];
  for (const entry of state.ledger.entries(after)) {
    if (messages.length >= limit) break;
    if (to === '' || entry.digits === to) messages.push(shownEntry(entry));
  }
  answerControl(response, 200, { messages });
};

const shownEntry = (entry: LedgerEntry): unknown => ({
  sequence: entry.sequence,
  id: entry.wamid,
  at: new Date(entry.atMs).toISOString(),
  phone_number_id: entry.phoneNumberId,
  to: entry.to,
  type: entry.type,
  body: parsedOrText(entry.raw),
  biz_opaque_callback_data: entry.callback,
  outcome: entry.outcome,
  error_code: entry.errorCode,
  answered: entry.answered,
  status: entry.status,
});

const parsedOrText = (raw: string): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
};

/** Writes lines as fast as the reader takes them. */
const streamLines = (lines: Iterator<string>, response: ServerResponse): void => {
  const write = (): void => {
    for (;;) {
      let part = '';
      let next = lines.next();
      while (next.done !== true) {
        part += next.value;
        if (part.length >= 65_536) break;
        next = lines.next();
      }
      if (next.done === true) {
        response.end(part);
        return;
      }
      if (!response.write(part)) {
        response.once('drain', write);
        return;
      }
    }
  };
  write();
};
