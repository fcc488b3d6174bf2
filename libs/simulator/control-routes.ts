import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerControl } from './answers.js';
import { FaultSyntaxError } from './faults.js';
import type { LedgerEntry } from './ledger.js';
import type { SimulatorState } from './state.js';

/** A request to the simulator itself, read to its end. */
export interface ControlRequest {
  method: string;
  /** Path below `/_simulator/`, split at slashes. */
  path: string[];
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  raw: string;
}

/** A control request that cannot be carried out; the text is the answer. */
export class ControlError extends Error {
  constructor(
    readonly http: number,
    message: string,
  ) {
    super(message);
  }
}

type Handler = (state: SimulatorState, request: ControlRequest, response: ServerResponse) => void;

const HANDLERS: Readonly<Record<string, Handler>> = {
  'GET rules': (state, _request, response) =>
    answerControl(response, 200, { rules: state.rules.list() }),
  'POST rules': (state, request, response) =>
    answerControl(response, 200, state.rules.add(jsonBody(request))),
  'DELETE rules': (state, request, response) => {
    const id = request.path[1];
    if (id === undefined) state.rules.clear();
    else if (!state.rules.delete(Number(id))) throw new ControlError(404, `there is no rule ${id}`);
    answerControl(response, 200, { success: true });
  },
  'GET messages': (state, request, response) => listMessages(state, request, response),
  'DELETE messages': (state, _request, response) => {
    state.ledger.clear();
    answerControl(response, 200, { success: true });
  },
  'GET stats': (state, _request, response) => answerControl(response, 200, state.ledger.stats()),
  'GET ledger': (state, request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    streamLines(state.ledger.lines(wholeNumber(request.query, 'after', 0)), response);
  },
  'GET numbers': (state, _request, response) =>
    answerControl(response, 200, { numbers: state.numbers.list() }),
  'PUT numbers': (state, request, response) =>
    answerControl(response, 200, state.numbers.learn(jsonBody(request))),
};

/** Answers everything under `/_simulator/`. */
export const handleControl = (
  state: SimulatorState,
  request: ControlRequest,
  response: ServerResponse,
): void => {
  const handler = HANDLERS[`${request.method} ${request.path[0] ?? ''}`];
  try {
    if (handler === undefined) {
      throw new ControlError(
        404,
        `there is no ${request.method} /_simulator/${request.path.join('/')}`,
      );
    }
    handler(state, request, response);
  } catch (error) {
    if (error instanceof ControlError) {
      answerControl(response, error.http, { error: { message: error.message } });
    } else if (error instanceof FaultSyntaxError || error instanceof RangeError) {
      answerControl(response, 400, { error: { message: error.message } });
    } else throw error;
  }
};

const jsonBody = ({ raw }: ControlRequest): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    throw new ControlError(400, 'the body must be JSON');
  }
};

const wholeNumber = (query: URLSearchParams, name: string, byDefault: number): number => {
  const text = query.get(name);
  if (text === null || text === '') return byDefault;
  if (!/^\d{1,15}$/.test(text)) throw new ControlError(400, `${name} must be a whole number`);
  return Number(text);
};

const listMessages: Handler = (state, { query }, response) => {
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
      while (next.done !== true && part.length < 65_536) {
        part += next.value;
        if (part.length < 65_536) next = lines.next();
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
