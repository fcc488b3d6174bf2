import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Request } from '../http/request.js';
import { routeOf, unquoted } from './idempotency-key.js';

/** Recognises repetitions. They do nothing, so a used-up day does not prevent them. */
@Injectable()
export class IdempotentReplays {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether the API key has made a request on this route under the request's `Idempotency-Key`. */
  async has(request: Request, apiKeyId: string): Promise<boolean> {
    const header = request.headers['idempotency-key'];
    if (typeof header !== 'string') return false;
    const found: unknown[] = await this.dataSource.query(
      `select 1 from idempotency_keys
       where api_key_id = $1 and route = $2 and key = $3 and expires_at > now()
       union all
       select 1 from campaign_replays
       where api_key_id = $1 and route = $4 and key = $3 and expires_at > now()`,
      [apiKeyId, request.routeOptions.url ?? request.url, unquoted(header), routeOf(request)],
    );
    return found.length > 0;
  }
}
