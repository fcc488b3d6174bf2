import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';
import type { Row } from '../../database/statements/statement.js';
import { answeredBy, isDeadlock, isStoreUnavailable } from '../../database/store-errors.js';
import { AppError, unavailable } from '../../errors/app-error.js';
import type { IdempotencyClaim } from '../message.js';
import * as sql from './repeated-messages.statements.js';

interface NamedKey extends Pick<IdempotencyClaim, 'route' | 'key'> {
  readonly apiKeyId: string;
}

type NamedMessage = Row<typeof sql.findMessagesOfKeys>;

const tryEveryMs = 250;

/** The messages that idempotency keys name. Repetitions that come together are looked up together, over one connection. */
@Injectable()
export class RepeatedMessages {
  private readonly group: GroupCommit<NamedKey, NamedMessage | null>;

  constructor(
    private readonly statements: HotStatements,
    private readonly config: Config,
  ) {
    this.group = new GroupCommit({
      commit: (keys) => this.readTogether(keys),
      maxSize: 200,
      gathers: false,
    });
  }

  /**
   * The message that an idempotency key names, or null when the key is free. Waits for a database that is away, as the
   * acceptance of a message does.
   * @throws AppError IDEMPOTENCY_KEY_REUSED; SERVICE_UNAVAILABLE when the database stays away
   */
  async find(
    apiKeyId: string,
    { route, key, bodyDigest }: IdempotencyClaim,
  ): Promise<string | null> {
    const known = await this.read({ apiKeyId, route, key });
    if (!known) return null;
    if (!known.body_digest.equals(bodyDigest)) {
      throw new AppError('IDEMPOTENCY_KEY_REUSED', { details: { message_id: known.message_id } });
    }
    return known.message_id;
  }

  private async read(key: NamedKey): Promise<NamedMessage | null> {
    const giveUpAt = performance.now() + this.config.storePatienceMs;
    for (;;) {
      try {
        return await answeredBy(giveUpAt, this.group.enqueue(key));
      } catch (cause) {
        if (!isStoreUnavailable(cause) && !isDeadlock(cause)) throw cause;
        if (performance.now() + tryEveryMs >= giveUpAt) {
          throw unavailable(
            'store_unavailable',
            'The database is away, so the message of this Idempotency-Key cannot be read. ' +
              'Nothing was sent; repeat the request with the same key.',
            { cause },
          );
        }
        await pause(tryEveryMs);
      }
    }
  }

  private async readTogether(keys: readonly NamedKey[]): Promise<(NamedMessage | null)[]> {
    const rows = await sql.findMessagesOfKeys.rows(this.statements, sql.keyInput.valuesOf(keys));
    const known = new Map(
      rows.map((row) => [nameOf({ ...row, apiKeyId: row.api_key_id }), row] as const),
    );
    return keys.map((key) => known.get(nameOf(key)) ?? null);
  }
}

const nameOf = ({ apiKeyId, route, key }: NamedKey) => JSON.stringify([apiKeyId, route, key]);
