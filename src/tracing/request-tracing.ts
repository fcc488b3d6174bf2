import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Tracing } from './tracing.js';

/** What is worth a trace: not what load balancers and Prometheus ask all day. */
const traced = /^\/api\//;

/** A span for each request of the API. It continues the caller's trace where the request names one. */
@Injectable()
export class RequestTracing implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly tracing: Tracing,
  ) {}

  onModuleInit(): void {
    if (!this.tracing.isOn) return;
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', (request, _reply, done) => {
      this.begin(request);
      done();
    });
    server.addHook('onResponse', (request, reply, done) => {
      this.end(request, reply);
      done();
    });
  }

  private begin(request: FastifyRequest): void {
    const { method } = request;
    const route = request.routeOptions.url;
    if (route === undefined || !traced.test(route)) return;
    const parent = request.headers.traceparent;
    request.span = this.tracing.start(`${method} ${route}`, {
      kind: 'server',
      parent: typeof parent === 'string' ? parent : null,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'parley.request_id': request.id,
      },
    });
  }

  private end({ span, principal, errorCode }: FastifyRequest, { statusCode }: FastifyReply): void {
    span?.end(
      {
        'http.response.status_code': statusCode,
        'parley.api_key_id': principal?.apiKeyId,
        'parley.account_id': principal?.accountId,
        'error.type': errorCode ?? undefined,
      },
      statusCode >= 500 ? (errorCode ?? `http_${statusCode}`) : undefined,
    );
  }
}
