import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';
import { newId } from '../../database/ids.js';
import { NotificationsQueue } from '../../queues/notifications-queue.js';
import { AppSecrets, accountsFingerprintSql, type Signer } from './app-secrets.js';

interface NewNotification {
  readonly id: string;
  readonly signer: Signer;
  readonly body: Buffer;
}

const storeStatement = {
  name: 'store-notifications',
  text: `
  with stored as (
    insert into platform_notifications (id, mode, account_ids, body)
    select id, mode, account_ids::uuid[], body
    from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) as t (id, mode, account_ids, body)
    order by id
  )
  select (${accountsFingerprintSql}) as fingerprint`,
};

const correctSql = `
  update platform_notifications n set account_ids = t.account_ids::uuid[]
  from unnest($1::uuid[], $2::text[]) as t (id, account_ids)
  where n.id = t.id and n.id = any ($1::uuid[])`;

/** Bodies are up to 4 MiB each, so groups stay small. */
const groupMaxSize = 64;

/** Takes notifications: one is taken when its bytes are committed. They are processed by workers. */
@Injectable()
export class NotificationIntake {
  private readonly group: GroupCommit<NewNotification, void>;

  constructor(
    private readonly statements: HotStatements,
    private readonly dataSource: DataSource,
    private readonly secrets: AppSecrets,
    private readonly queue: NotificationsQueue,
  ) {
    this.group = new GroupCommit({
      commit: (notifications) => this.store(notifications),
      maxSize: groupMaxSize,
    });
  }

  /** Stores the bytes as they came. Rejects with the store's error; the platform repeats it then. */
  take(body: Buffer, signer: Signer): Promise<void> {
    return this.group.add({ id: newId(), signer, body });
  }

  private async store(notifications: readonly NewNotification[]): Promise<void[]> {
    const ids = notifications.map(({ id }) => id);
    const [row] = await this.statements.run<{ fingerprint: string }>(storeStatement, [
      ids,
      notifications.map(({ signer }) => signer.mode),
      notifications.map(({ signer }) => arrayOf(signer.accountIds)),
      notifications.map(({ body }) => body),
    ]);
    await this.correct(notifications, row?.fingerprint ?? '');
    void this.queue.add({ ids });
    return notifications.map(() => undefined);
  }

  /** Secrets are cached; an account that was made meanwhile gets its share before anybody processes. */
  private async correct(
    notifications: readonly NewNotification[],
    fingerprint: string,
  ): Promise<void> {
    const changed: [id: string, accountIds: string | null][] = [];
    for (const { id, signer } of notifications) {
      const { accountIds } = await this.secrets.fresh(signer, fingerprint);
      if (String(accountIds) !== String(signer.accountIds)) changed.push([id, arrayOf(accountIds)]);
    }
    if (changed.length === 0) return;
    await this.dataSource.query(correctSql, [
      changed.map(([id]) => id),
      changed.map(([, accountIds]) => accountIds),
    ]);
  }
}

function arrayOf(ids: readonly string[] | null): string | null {
  return ids && `{${ids.join(',')}}`;
}
