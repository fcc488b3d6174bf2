import type { AddressInfo } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { answerError } from './answers.js';
import { ControlError } from './control-request.js';
import { controlRoutes } from './control-routes.js';
import { graphRoutes } from './graph-routes.js';
import type { SimulatorOptions } from './options.js';
import { handleSend, type SendRequest } from './sends.js';
import { newState, type SimulatorState } from './state.js';

/** A simulator that listens. */
export interface Simulator {
  /** Base URL without a trailing slash: `http://127.0.0.1:3002`. */
  url: string;
  port: number;
  /** Ends every connection, also those that wait for an answer, and stops. */
  close(): Promise<void>;
}

const version = /^\/v\d+\.\d+(?=\/)/;

/** Starts the platform's stand-in. Rejects when the port is taken. */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<Simulator> => {
  const { port = 3002, host = '127.0.0.1' } = options;
  const state = newState(options);
  const app = createApp(state);
  app.post<SendRequest>('/:phoneNumberId/messages', (request, reply) =>
    handleSend(state, request, reply),
  );
  app.get('/', () => whatThisIs);
  for (const path of ['/health/live', '/health/ready']) app.all(path, () => ({ status: 'ok' }));
  app.all('/_simulator/*', ({ method, url }) => {
    throw new ControlError(`there is no ${method} ${url.split('?')[0]}`, 404);
  });
  app.register(async (control) => controlRoutes(control, state), { prefix: '/_simulator' });
  app.register(async (graph) => graphRoutes(graph, state));
  await app.listen({ port, host });
  return {
    url: app.listeningOrigin,
    port: (app.server.address() as AddressInfo).port,
    close: async () => {
      state.webhooks?.close();
      await app.close();
    },
  };
};

/** For people who open the bare address. */
const whatThisIs = {
  name: 'Parley’s simulator of WhatsApp',
  about:
    'It plays WhatsApp’s Cloud API for the Parley that runs next to it. No message leaves this machine. To reply as a user, open the sandbox phone in Parley’s dashboard.',
  links: {
    messages: '/_simulator/messages',
    conversations: '/_simulator/conversation',
    received_webhooks: '/_simulator/receiver',
    numbers: '/_simulator/numbers',
    rules: '/_simulator/rules',
    stats: '/_simulator/stats',
    health: '/health/ready',
  },
};

const createApp = ({ log }: SimulatorState): FastifyInstance => {
  const app = fastify({
    // Connections between two sends stay open, so that a client's pool is not closed under it.
    keepAliveTimeout: 75_000,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      // Node's limit on the head of a request also limits the path.
      maxParamLength: 16_384,
      querystringParser: (text) => new URLSearchParams(text) as unknown as Record<string, unknown>,
    },
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    rewriteUrl: ({ url = '/' }) => url.replace(version, ''),
    frameworkErrors: (error, _request, reply) => answerError(error, reply, log),
  });
  app.setErrorHandler((error, _request, reply) => answerError(error, reply, log));
  // A body is read as its path needs it, whatever the caller says that it is.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  return app;
};

/** Left alone, Fastify loads two compilers of JSON schemas at every start. */
const noSchemas = (): never => {
  throw new Error('no route has a JSON schema');
};
