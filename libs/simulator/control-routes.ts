import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { isLocalHost } from '#libs/local-hosts';
import { ControlError, type ControlRequest, jsonBody, wholeNumber } from './control-request.js';
import { handleHandshake } from './handshake.js';
import type { LedgerEntry } from './ledger.js';
import {
  handleConversation,
  handleEcho,
  handleInbound,
  handleReply,
  handleTemplates,
  handleUser,
  handleUserChange,
  handleWindow,
} from './sandbox-routes.js';
import type { SimulatorState } from './state.js';

/** Sets of templates are long. */
const bodyLimit = 100 * 1024 * 1024;

/** Everything under `/_simulator/`. */
export const controlRoutes = (control: FastifyInstance, state: SimulatorState): void => {
  control.removeAllContentTypeParsers();
  control.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
    done(null, body),
  );
  control.addHook('preHandler', async (request) => refuseForeignPages(request as ControlRequest));

  control.get('/rules', () => ({ rules: state.rules.list() }));
  control.post('/rules', (request: ControlRequest) => state.rules.add(jsonBody(request)));
  control.delete('/rules', () => {
    state.rules.clear();
    return { success: true };
  });
  control.delete<{ Params: { id: string } }>('/rules/:id', ({ params: { id } }) => {
    if (!state.rules.delete(Number(id))) throw new ControlError(`there is no rule ${id}`, 404);
    return { success: true };
  });
  control.get('/messages', ({ query }: ControlRequest) => listMessages(state, query));
  control.post('/messages/*', (request: ControlRequest) => handleReply(state, request));
  control.delete('/messages', () => {
    state.ledger.clear();
    state.conversations.clear();
    state.reads.clear();
    return { success: true };
  });
  control.post('/inbound', (request: ControlRequest) => handleInbound(state, request));
  control.post('/echoes', (request: ControlRequest) => handleEcho(state, request));
  control.get('/conversation', (request: ControlRequest) => handleConversation(state, request));
  control.get('/reads', ({ query }: ControlRequest) => ({
    reads: state.reads.list(query.get('phone_number_id')),
  }));
  control.get('/stats', () => ({
    ...state.ledger.stats(),
    webhooks: state.webhooks?.stats() ?? null,
  }));
  control.get('/ledger', ({ query }: ControlRequest, reply) => {
    const lines = state.ledger.lines(wholeNumber(query, 'after', 0));
    reply.type('application/x-ndjson').send(Readable.from(inParts(lines)));
  });
  control.get('/numbers', () => ({
    numbers: state.numbers.list().map((number) => state.numbers.shown(number)),
  }));
  control.put('/numbers', (request: ControlRequest) =>
    state.numbers.shown(state.numbers.learn(jsonBody(request))),
  );
  control.put('/tokens', (request: ControlRequest) => state.tokens.put(jsonBody(request)));
  control.post('/handshake', (request: ControlRequest) => handleHandshake(state, request));
  control.get('/users', ({ query }: ControlRequest) => ({
    users: state.users.list(query.get('phone')),
  }));
  control.put('/users', (request: ControlRequest) => handleUser(state, request));
  control.post('/users/change', (request: ControlRequest) => handleUserChange(state, request));
  control.get('/window', (request: ControlRequest) => handleWindow(state, request));
  control.put('/window', (request: ControlRequest) => state.windows.put(jsonBody(request)));
  control.get('/prices', () => state.prices.shown());
  control.put('/prices', (request: ControlRequest) => state.prices.put(jsonBody(request)));
  control.put('/templates', (request: ControlRequest) => handleTemplates(state, request));
  control.post('/reset', (request: ControlRequest) => {
    const { reports = true } = (jsonBody(request) ?? { reports: null }) as { reports?: unknown };
    if (typeof reports !== 'boolean') throw new ControlError('reports must be true or false');
    state.reset({ reports });
    return { success: true };
  });
  control.post('/receiver', ({ headers, body = '' }: ControlRequest) => {
    state.receiver.take(headers, body);
    return { received: true };
  });
  control.get('/receiver', ({ query }: ControlRequest) => {
    const after = wholeNumber(query, 'after', 0);
    return { requests: state.receiver.list(after, wholeNumber(query, 'limit', 1000)) };
  });
  control.delete('/receiver', () => {
    state.receiver.clear();
    return { success: true };
  });
};

/** A web page in a browser on this machine must not steer the simulator. */
const refuseForeignPages = ({ headers, body = '' }: ControlRequest): void => {
  if (!isLocalHost(headers.host)) throw new ControlError('this host name is not local', 403);
  if (body !== '' && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new ControlError('the body must be sent with Content-Type: application/json', 415);
  }
};

const listMessages = (state: SimulatorState, query: URLSearchParams): unknown => {
  const after = wholeNumber(query, 'after', 0);
  const limit = Math.min(wholeNumber(query, 'limit', 100), 20_000);
  const to = query.get('to')?.replaceAll(/\D/g, '') ?? '';
  const messages: unknown[] = [];
  for (const entry of state.ledger.entries(after)) {
    if (messages.length >= limit) break;
    if (to === '' || entry.digits === to) messages.push(shownEntry(entry));
  }
  return { messages };
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

/** Joins lines, of which a ledger has hundreds of thousands, to parts of 64 KiB. */
function* inParts(lines: Iterable<string>): Generator<string> {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < 65_536) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}
