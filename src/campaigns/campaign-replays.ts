import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../errors/app-error.js';
import { bodyDigest } from '../messages/sends/canonical-json.js';

/** A request about a campaign that its caller may repeat. */
export interface RepeatableRequest {
  readonly apiKeyId: string;
  /** What the key is unique for: the route, and the campaign if it names one. */
  readonly route: string;
  /** Null: the caller does not repeat it. */
  readonly idempotencyKey: string | null;
  readonly body: object;
}

/** Answers requests that are repeated with the same idempotency key as they were answered first, for 24 hours. */
@Injectable()
export class CampaignReplays {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Does something once.
   * @param work is given the transaction that also stores its answer.
   * @throws AppError IDEMPOTENCY_KEY_REUSED; whatever the work throws, which stores nothing
   */
  async once<Answer extends object>(
    { apiKeyId, route, idempotencyKey, body }: RepeatableRequest,
    work: (manager: EntityManager) => Promise<Answer>,
  ): Promise<{ answer: Answer; isReplay: boolean }> {
    if (idempotencyKey === null) {
      return { answer: await this.dataSource.transaction(work), isReplay: false };
    }
    const names = [apiKeyId, route, idempotencyKey];
    const digest = bodyDigest(body);
    return this.dataSource.transaction(async (manager) => {
      await manager.query(
        `delete from campaign_replays
         where api_key_id = $1 and route = $2 and key = $3 and expires_at <= now()`,
        names,
      );
      // A request under the same key that is under way is waited for.
      const [mine]: unknown[] = await manager.query(
        `insert into campaign_replays (api_key_id, route, key, body_digest, answer, expires_at)
         values ($1, $2, $3, $4, '{}', now() + interval '24 hours')
         on conflict do nothing returning key`,
        [...names, digest],
      );
      if (mine === undefined) {
        const [known]: { body_digest: Buffer; answer: Answer }[] = await manager.query(
          `select body_digest, answer from campaign_replays
           where api_key_id = $1 and route = $2 and key = $3`,
          names,
        );
        if (!known?.body_digest.equals(digest)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
        return { answer: known.answer, isReplay: true };
      }
      const answer = await work(manager);
      await manager.query(
        `update campaign_replays set answer = $4 where api_key_id = $1 and route = $2 and key = $3`,
        [...names, JSON.stringify(answer)],
      );
      return { answer, isReplay: false };
    });
  }
}
