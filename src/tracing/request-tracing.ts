import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SpanKind } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { endSpan, startSpan } from './tracing.js';

/** Requests worth a trace: not those that load balancers and Prometheus make all day. */
const traced = /^\/(?:api|graph)\//;

/** A span for each request of the API. It continues the caller's trace where the request names one. */
@Injectable()
export class RequestTracing implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    if (this.config.traces === null) return;
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', (request, _reply, done) => {
      begin(request);
      done();
    });
    server.addHook('onResponse', (request, reply, done) => {
      end(request, reply);
      done();
    });
  }
}

function begin(request: FastifyRequest): void {
  const { method } = request;
  const route = request.routeOptions.url;
  if (route === undefined || !traced.test(route)) return;
  const parent = request.headers.traceparent;
  request.span = startSpan(
    `${method} ${route}`,
    SpanKind.SERVER,
    typeof parent === 'string' ? parent : null,
    { 'http.request.method': method, 'http.route': route, 'parley.request_id': request.id },
  );
}

function end({ span, principal, errorCode }: FastifyRequest, { statusCode }: FastifyReply): void {
  endSpan(
    span,
    {
      'http.response.status_code': statusCode,
      'parley.api_key_id': principal?.apiKeyId,
      'parley.account_id': principal?.accountId,
      'error.type': errorCode ?? undefined,
    },
    statusCode >= 500 ? (errorCode ?? `http_${statusCode}`) : undefined,
  );
}
