import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Request } from '../http/request.js';
import { UsageCounter } from '../quota/usage-counter.js';

/** Counts every authenticated request once it is answered. */
@Injectable()
export class RequestAccounting implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly usage: UsageCounter,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onResponse', (request, _reply, done) => {
      this.account(request);
      done();
    });
  }

  private account(request: Request): void {
    const { principal, errorCode, signedWith, ip } = request;
    if (!principal) return;
    this.usage.count(principal, { isRefused: errorCode !== null, address: ip, signedWith });
  }
}
