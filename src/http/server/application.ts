import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance, fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import { minuteMs } from '#libs/durations';
import { newId } from '../../database/ids.js';
import { AppError, unavailable, validationError } from '../../errors/app-error.js';
import { NestLogger } from '../../logging/logger.js';
import { Timers } from '../../timers/timers.js';
import { Turns } from '../../timers/turns.js';
import { AppErrorFilter, answerError } from '../app-error.filter.js';
import { bareErrorEnvelope, toEnvelope } from '../envelope.js';
import { BodyPipe } from '../validation/body.pipe.js';
import { withoutTokens } from './address-tokens.js';
import { atQuietTurn } from './closing.js';
import { boundConnections, endConnection, silentMaxMs } from './connections.js';
import { normalizeForwarded } from './forwarded-addresses.js';
import { HeldBodies } from './held-bodies.js';
import { Lifecycle } from './lifecycle.js';
import { refuseOtherMethods } from './other-methods.js';
import { readRawBody } from './raw-body.js';
import { securityHeaders, transportSecurity } from './security-headers.js';
import { StreamedBody } from './streamed-body.js';

const headersMaxBytes = 16 * 1024;

/** A caller has this long to send the headers, and as long again for a body that is not streamed. */
const requestTimeoutMs = 30_000;

/** The longest upload; streamed bodies have limits of their own below it. */
const uploadTimeoutMs = 10 * minuteMs;

/** How often requests that take too long are looked for. */
const requestCheckMs = 5_000;

/** Longer than the idle time-out of common load balancers, so that they close first. */
const keepAliveMs = 72_000;

/** Requests on connections that were there before the listener closed are answered for this long. */
const answeredAfterCloseMs = 3_000;

/** The HTTP settings of a process, in the order in which a request meets them. */
export interface ApplicationOptions {
  readonly logger: Logger;
  /** Addresses whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Whether browsers reach it over https alone and are told to remember that. */
  readonly isHttps: boolean;
}

const mediaTypeForm = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** It begins with its time, so that the request log can be in the order of these ids. */
const newRequestId = () => `req_${newId().replaceAll('-', '')}`;

/** Makes the HTTP application of a process: every answer is in the envelope, no matter what fails. */
export async function createApplication(
  module: Type | DynamicModule,
  options: ApplicationOptions,
): Promise<NestFastifyApplication> {
  const server = createServer(options);
  refuseOtherMethods(server);
  const adapter = new FastifyAdapter(server as never);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(options.logger),
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new AppErrorFilter());
  app.useGlobalPipes(new BodyPipe());
  const lifecycle = app.get(Lifecycle, { strict: false });
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/health/')) lifecycle.noteRequest();
    if (lifecycle.isStopping) reply.header('connection', 'close');
    done();
  });
  return app;
}

/**
 * The classes of the bodies hold the rules for requests, so Fastify's own validation is replaced: it would load
 * two compilers of JSON schemas at every start, which takes 50 ms and some megabytes.
 */
function noSchemas(): never {
  throw new Error('A route has a JSON schema: write a class for its body instead.');
}

function createServer(options: ApplicationOptions): FastifyInstance {
  const server = fastify({
    loggerInstance: options.logger,
    genReqId: newRequestId,
    // The hook below writes one line for each request; a logger for each would cost more than the line.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: uploadTimeoutMs,
    connectionTimeout: silentMaxMs,
    keepAliveTimeout: keepAliveMs,
    // Our own 503 is in the envelope, see below.
    return503OnClosing: false,
    schemaController: {
      compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas },
    },
    http: {
      maxHeaderSize: headersMaxBytes,
      connectionsCheckingInterval: requestCheckMs,
      headersTimeout: requestTimeoutMs,
      requestTimeout: uploadTimeoutMs,
      // Node would refuse a request without a host outside the envelope; we refuse it below.
      requireHostHeader: false,
    },
    // An id that is too long or not valid text is simply unknown: the guards come first.
    routerOptions: { maxParamLength: headersMaxBytes },
    rewriteUrl: (request) => readableUrl(withoutTokens(request)),
    frameworkErrors: (error, request, reply) => answerError(request, reply, error),
    clientErrorHandler: answerSocketError,
  });
  server.server.on('request', ({ socket }, answer) => latestAnswers.set(socket, answer));
  // HTTP lets the server decide how to treat an expectation that it does not know.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  server.server.on('connect', (_request, socket: Socket) =>
    refuseSocket(socket, '405 Method Not Allowed', 'Parley is not a proxy.'),
  );
  const timers = new Timers(options.logger);
  server.server.once('close', () => timers.stop());
  boundConnections(server.server, options.trustedProxies, timers);
  const held = new HeldBodies(timers, { maxMs: requestTimeoutMs, checkEveryMs: requestCheckMs });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, payload, done) => {
    const { bodyMaxBytes, streamsBody } = request.routeOptions.config;
    if (streamsBody) done(null, new StreamedBody(payload, bodyMaxBytes ?? 0));
    else readRawBody(request, payload, done, held, bodyMaxBytes);
  });
  server.decorateRequest('principal', null);
  server.decorateRequest('user', null);
  server.decorateRequest('rateLimit', null);
  server.decorateRequest('knownKey', null);
  server.decorateRequest('signedWith', null);
  server.decorateRequest('admitAgain', null);
  server.decorateRequest('errorCode', null);
  server.decorateRequest('errorFields', null);
  server.decorateRequest('warnings', null);
  server.decorateRequest('messageId', null);
  server.decorateRequest('span', null);
  server.decorateRequest('dayUnit', null);
  let isClosing = false;
  server.addHook('preClose', (done) => {
    // Requests that came in before the end get their answers. Clients that go on sending are refused.
    setTimeout(() => {
      isClosing = true;
    }, answeredAfterCloseMs).unref();
    atQuietTurn(done);
  });
  const isBehindProxy = options.trustedProxies.length > 0;
  server.addHook('onRequest', (request, reply, done) => {
    // Before anything asks for the address.
    if (isBehindProxy) normalizeForwarded(request.raw.headers);
    reply.header('x-request-id', request.id).headers(securityHeaders);
    if (options.isHttps) reply.header('strict-transport-security', transportSecurity);
    if (isClosing) {
      reply.header('connection', 'close');
      done(unavailable('shutting_down', 'This process is stopping; nothing was sent.'));
      return;
    }
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      done(validationError({ Host: 'is required' }));
      return;
    }
    if (hasTwoHosts(request.raw.rawHeaders)) {
      done(validationError({ Host: 'must be given once' }));
      return;
    }
    const contentType = request.headers['content-type'];
    if (contentType !== undefined && !mediaTypeForm.test(contentType)) {
      // Fastify would refuse it here, before the guards; the body pipe refuses it behind them.
      request.headers['content-type'] = 'application/octet-stream';
    }
    done();
  });
  const readTurns = new Turns(2, 4);
  server.addHook('onRequest', (request, _reply, done) => {
    const { 'x-api-key': apiKey } = request.headers;
    if (request.method === 'GET' && typeof apiKey === 'string') readTurns.enter(apiKey, done);
    else done();
  });
  server.addHook('preSerialization', (request, reply, payload, done) => {
    // The API uses 200 and 202 for success, never Nest's 201.
    if (reply.statusCode === 201) reply.status(200);
    done(null, toEnvelope(request, payload));
  });
  server.addHook('onResponse', (request, reply, done) => {
    // Probes come every few seconds and say nothing while all is well.
    const isProbe = request.url.startsWith('/health/') && reply.statusCode < 400;
    options.logger[isProbe ? 'debug' : 'info'](
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        code: request.errorCode ?? undefined,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
        api_key_id: request.principal?.apiKeyId,
        user_id: request.user?.id,
        trace_id: request.span?.spanContext().traceId,
      },
      'request',
    );
    done();
  });
  return server as unknown as FastifyInstance;
}

/** A proxy may have read the second one. Names and values take turns in the list. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** The address with a path that can be decoded: one that cannot is taken literally. */
function readableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

const securityLines = Object.entries(securityHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** The latest answer on each connection. */
const latestAnswers = new WeakMap<object, ServerResponse>();

/** Whether a request was answered before its body had come in: what is wrong with the body has no answer of its own. */
function isAnswered(socket: Socket): boolean {
  const answer = latestAnswers.get(socket);
  return answer !== undefined && answer.headersSent && !answer.req.complete;
}

/** The request could not even be read: no route, no hooks, only a socket. */
function answerSocketError(error: NodeJS.ErrnoException, socket: Socket): void {
  const isGone = error.code === 'ECONNRESET' || socket.destroyed || !socket.writable;
  if (isGone || isAnswered(socket)) {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    const rule = `The request headers must be at most ${headersMaxBytes / 1024} KiB.`;
    refuseSocket(socket, '431 Request Header Fields Too Large', rule);
  } else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    refuseSocket(socket, '408 Request Timeout', 'The request was not complete in time.');
  } else refuseSocket(socket, '400 Bad Request', 'The request is not valid HTTP.');
}

/** Answers a request that never reached the routes, and closes the connection. */
function refuseSocket(socket: Socket, status: string, message: string): void {
  const requestId = newRequestId();
  const body = JSON.stringify(
    bareErrorEnvelope(requestId, new AppError('VALIDATION_ERROR', { message })),
  );
  endConnection(
    socket,
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\n` +
      securityLines +
      `Connection: close\r\n\r\n${body}`,
  );
}
