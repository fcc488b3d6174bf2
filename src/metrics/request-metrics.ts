import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Reply, Request } from '../http/request.js';
import { Metrics } from './metrics.js';

/** Counts every request once it is answered. */
@Injectable()
export class RequestMetrics implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onResponse', (request, reply, done) => {
      this.count(request, reply);
      done();
    });
    server.addHook('onRequestAbort', (_request, done) => {
      this.metrics.abortedRequests.inc();
      done();
    });
  }

  private count(request: Request, reply: Reply): void {
    this.metrics.requestDuration.observe(
      {
        http_request_method: request.method,
        http_route: request.routeOptions.url ?? '',
        http_response_status_code: reply.statusCode,
      },
      reply.elapsedTime / 1_000,
    );
    const code = request.errorCode;
    if (code === null) return;
    this.metrics.refusals.inc({ code });
    // Without a key's rate limit, the address has tried too many unknown keys.
    if (code === 'RATE_LIMIT_EXCEEDED' && request.rateLimit) {
      this.metrics.quotaRefusals.inc({ window: 'minute' });
    }
    if (code === 'DAILY_LIMIT_EXCEEDED') this.metrics.quotaRefusals.inc({ window: 'day' });
  }
}
