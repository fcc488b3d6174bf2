import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { addressBlock } from '../auth/address-block.js';
import { Config } from '../config/config.js';
import type { Reply, Request } from '../http/request.js';
import { RawBody } from '../http/server/raw-body.js';
import { isExternal, knownAddress, loggedRequestOf } from './logged-request.js';
import { redactedBody } from './redacted-body.js';
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

  /** Requests without a key are only counted: otherwise strangers could fill the log. */
  private record(request: Request, reply: Reply): void {
    if (request.knownKey) {
      const logged = loggedRequestOf(request, reply);
      this.writer.add(logged);
      if (request.knownKey.bodiesKeptUntilMs > Date.now()) {
        this.keepBody(logged.id, request.knownKey.accountId, request.body);
      }
      return;
    }
    const address = knownAddress(request.ip);
    this.writer.addStranger({
      address: address && addressBlock(address),
      status: reply.statusCode,
      code: request.errorCode,
    });
  }

  private keepBody(requestId: string, accountId: string, body: unknown): void {
    if (!(body instanceof RawBody) || !this.writer.hasRoomForBody) return;
    this.writer.addBody({ requestId, accountId, text: redactedBody(body) });
  }
}
