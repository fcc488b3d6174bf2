import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Request } from '../http/request.js';
import { unquoted } from './idempotency-key.js';

/** Recognises repetitions of sends. They send nothing, so a used-up day does not prevent them. */
@Injectable()
export class IdempotentReplays {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether the API key has sent a message on this route under the request's `Idempotency-Key`. */
  async has(request: Request, apiKeyId: string): Promise<boolean> {
    const header = request.headers['idempotency-key'];
    if (typeof header !== 'string') return false;
    const found: unknown[] = await this.dataSource.query(
      `select 1 from idempotency_keys
       where api_key_id = $1 and route = $2 and key = $3 and expires_at > now()`,
      [apiKeyId, request.routeOptions.url ?? request.url, unquoted(header)],
    );
    return found.length > 0;
  }
}
