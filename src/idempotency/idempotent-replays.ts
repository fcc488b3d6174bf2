import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Request } from '../http/request.js';
import { routeOf, unquoted } from './idempotency-key.js';
import * as sql from './idempotent-replays.statements.js';

/** Recognises repetitions. They do nothing, so a used-up day does not prevent them. */
@Injectable()
export class IdempotentReplays {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether the API key has made a request on this route under the request's `Idempotency-Key`. */
  async has(request: Request, apiKeyId: string): Promise<boolean> {
    const header = request.headers['idempotency-key'];
    if (typeof header !== 'string') return false;
    const found = await sql.findIdempotencyKey.row(this.dataSource, {
      apiKeyId,
      route: request.routeOptions.url ?? request.url,
      key: unquoted(header),
      replayRoute: routeOf(request),
    });
    return found !== null;
  }
}
