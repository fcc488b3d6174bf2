import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { addressBlock } from '../auth/address-block.js';
import { Config } from '../config/config.js';
import type { Reply, Request } from '../http/request.js';
import { isExternal, knownAddress, loggedRequestOf } from './logged-request.js';
import { RequestWriter } from './request-writer.js';

/** Logs every request of the external API once it is answered. */
@Injectable()
export class RequestRecording implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly config: Config,
    private readonly writer: RequestWriter,
  ) {}

  onModuleInit(): void {
    if (this.config.requestLogDays === 0) return;
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onResponse', (request, reply, done) => {
      if (isExternal(request)) this.record(request, reply);
      done();
    });
  }

  /** Whoever has no key could fill the log, so these requests are only counted. */
  private record(request: Request, reply: Reply): void {
    if (request.knownKey) {
      this.writer.add(loggedRequestOf(request, reply));
      return;
    }
    const address = knownAddress(request.ip);
    this.writer.addStranger({
      address: address && addressBlock(address),
      status: reply.statusCode,
      code: request.errorCode,
    });
  }
}
