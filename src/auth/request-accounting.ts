import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Reply, Request } from '../http/request.js';
import { QuotaService } from '../quota/quota.service.js';
import { UsageCounter } from '../quota/usage-counter.js';

/** Counts every authenticated request once it is answered, and gives the day's unit back where none is due. */
@Injectable()
export class RequestAccounting implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly quota: QuotaService,
    private readonly usage: UsageCounter,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onResponse', (request, reply, done) => {
      this.account(request, reply);
      done();
    });
  }

  private account(request: Request, reply: Reply): void {
    const { principal, errorCode } = request;
    if (!principal) return;
    this.usage.count(principal, errorCode !== null, request.ip);
    // A message that WhatsApp refused was accepted by us; a repetition was paid for by the first.
    const isRefused = errorCode !== null && errorCode !== 'MESSAGE_SEND_FAILED';
    const isReplay = reply.getHeader('idempotency-replayed') !== undefined;
    const hasPaid = errorCode !== 'RATE_LIMIT_EXCEEDED' && errorCode !== 'DAILY_LIMIT_EXCEEDED';
    if (hasPaid && (isRefused || isReplay)) this.quota.giveBackDay(principal.apiKeyId);
  }
}
