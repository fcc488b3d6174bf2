import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Turns } from '../database/transactions/turns.js';
import { AppError } from '../errors/app-error.js';
import { bodyDigest } from '../messages/sends/canonical-json.js';

/** A request about a campaign that its caller may repeat. */
export interface RepeatableRequest {
  readonly apiKeyId: string;
  /** What the key is unique for: the route, and the campaign if it names one. */
  readonly route: string;
  /** The campaign that it changes; null for a new one. */
  readonly campaignId: string | null;
  /** Null: the caller does not repeat it. */
  readonly idempotencyKey: string | null;
  readonly body: object;
}

/** What a request does. */
export interface RepeatableWork<Prepared, Answer> {
  /** What it needs to know before it has a connection. A request that was answered before does not ask for it. */
  readonly prepare: () => Promise<Prepared>;
  /** Is given the transaction that also stores its answer. */
  readonly write: (manager: EntityManager, prepared: Prepared) => Promise<Answer>;
}

interface Known<Answer> {
  readonly body_digest: Buffer;
  readonly answer: Answer;
}

const knownSql = `
  select body_digest, answer from campaign_replays
  where api_key_id = $1 and route = $2 and key = $3 and expires_at > now()`;

/** What a change of a campaign waits for before it takes a connection: it locks the campaign's row. */
export const campaignTurn = (campaignId: string) => `campaign ${campaignId.toLowerCase()}`;

/** Answers requests that are repeated with the same idempotency key as they were answered first, for 24 hours. */
@Injectable()
export class CampaignReplays {
  constructor(
    private readonly dataSource: DataSource,
    private readonly turns: Turns,
  ) {}

  /**
   * Does something once.
   * @throws AppError IDEMPOTENCY_KEY_REUSED; whatever the work throws, which stores nothing
   */
  async once<Prepared, Answer extends object>(
    { apiKeyId, route, campaignId, idempotencyKey, body }: RepeatableRequest,
    { prepare, write }: RepeatableWork<Prepared, Answer>,
  ): Promise<{ answer: Answer; isReplay: boolean }> {
    const inTransaction = <T>(work: (manager: EntityManager) => Promise<T>) => {
      const run = () => this.dataSource.transaction(work);
      if (campaignId !== null) return this.turns.take(campaignTurn(campaignId), run);
      // Repetitions wait for the first of them; other new campaigns wait for nothing.
      return idempotencyKey === null
        ? run()
        : this.turns.take(`${route} ${apiKeyId} ${idempotencyKey}`, run);
    };
    if (idempotencyKey === null) {
      const prepared = await prepare();
      const answer = await inTransaction((manager) => write(manager, prepared));
      return { answer, isReplay: false };
    }
    const names = [apiKeyId, route, idempotencyKey];
    const digest = bodyDigest(body);
    const replayOf = ([known]: readonly Known<Answer>[]) => {
      if (!known?.body_digest.equals(digest)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      return { answer: known.answer, isReplay: true };
    };
    const before: Known<Answer>[] = await this.dataSource.query(knownSql, names);
    if (before.length > 0) return replayOf(before);
    const prepared = await prepare();
    return inTransaction(async (manager) => {
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
      if (mine === undefined) return replayOf(await manager.query(knownSql, names));
      const answer = await write(manager, prepared);
      await manager.query(
        `update campaign_replays set answer = $4 where api_key_id = $1 and route = $2 and key = $3`,
        [...names, JSON.stringify(answer)],
      );
      return { answer, isReplay: false };
    });
  }
}
