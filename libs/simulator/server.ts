import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { answerControl, guard } from './answers.js';
import { handleControl } from './control-routes.js';
import { handleGraph } from './graph-routes.js';
import type { SimulatorOptions } from './options.js';
import { handleSend } from './sends.js';
import { newState, type SimulatorState } from './state.js';

/** A simulator that listens. */
export interface Simulator {
  /** Base URL without a trailing slash: `http://127.0.0.1:3002`. */
  url: string;
  port: number;
  /** Ends every connection, also those that wait for an answer, and stops. */
  close(): Promise<void>;
}

const requestMaxBytes = 1024 * 1024;
/** Sets of templates, and the largest document that the platform takes. */
const longBodyMaxBytes = 100 * 1024 * 1024;
const version = /^\/v\d+\.\d+(?=\/)/;

/** Starts the platform's stand-in. Rejects when the port cannot be had. */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<Simulator> => {
  const { port = 3002, host = '127.0.0.1' } = options;
  const state = newState(options);
  const server = createServer((request, response) => receive(state, request, response));
  // Connections between two sends stay open, so that a client's pool is not closed under it.
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 0;
  await listen(server, port, host);
  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    port: boundPort,
    close: () =>
      new Promise((resolve) => {
        state.webhooks?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

const receive = (
  state: SimulatorState,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  const bytesMax = bodyMaxBytes(request.url ?? '/');
  const chunks: Buffer[] = [];
  let byteCount = 0;
  request.on('data', (chunk: Buffer) => {
    byteCount += chunk.length;
    if (byteCount <= bytesMax) chunks.push(chunk);
  });
  request.on('end', () => {
    if (byteCount > bytesMax) {
      answerControl(response, 413, { error: { message: 'the body is too large' } });
      return;
    }
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    guard(response, state.log, () => dispatch(state, request, body, response));
  });
  // A caller that leaves early is no event here; the ledger already says what arrived.
  request.on('error', () => {});
};

const bodyMaxBytes = (url: string): number =>
  url.startsWith('/_simulator/') || url.endsWith('/media') ? longBodyMaxBytes : requestMaxBytes;

const dispatch = (
  state: SimulatorState,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void => {
  const { method = 'GET', url = '/', headers } = request;
  const queryStart = url.indexOf('?');
  const path = (queryStart < 0 ? url : url.slice(0, queryStart)).replace(version, '');
  const parts = path.split('/').filter((part) => part !== '');
  const { authorization } = headers;
  if (
    method === 'POST' &&
    parts.length === 2 &&
    parts[1] === 'messages' &&
    parts[0] !== undefined
  ) {
    if (parts[0] !== '_simulator') {
      const raw = body.toString('utf8');
      handleSend(state, { phoneNumberId: parts[0], authorization, raw }, response);
      return;
    }
  }
  if (path === '/health/live' || path === '/health/ready') {
    answerControl(response, 200, { status: 'ok' });
    return;
  }
  const baseUrl = `http://${headers.host ?? '127.0.0.1'}`;
  const query = new URLSearchParams(queryStart < 0 ? '' : url.slice(queryStart + 1));
  if (parts[0] === '_simulator') {
    const raw = body.toString('utf8');
    handleControl(state, { method, path: parts.slice(1), query, headers, raw }, response, baseUrl);
    return;
  }
  handleGraph(state, { method, path: parts, query, headers, body, baseUrl, url }, response);
};
