import { Injectable } from '@nestjs/common';
import { GroupCommit } from '../../database/group-commit.js';
import { HotStatements } from '../../database/hot-statements.js';
import { newId } from '../../database/ids.js';
import { NotificationsQueue } from '../../queues/notifications-queue.js';
import type { Signer } from './app-secrets.js';

interface NewNotification {
  readonly id: string;
  readonly signer: Signer;
  readonly body: Buffer;
}

const storeStatement = {
  name: 'store-notifications',
  text: `
  insert into platform_notifications (id, mode, account_ids, body)
  select id, mode, account_ids::uuid[], body
  from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) as t (id, mode, account_ids, body)
  order by id`,
};

/** Bodies are up to 4 MiB each, so groups stay small. */
const groupMaxSize = 64;

/** Takes notifications: one is taken when its bytes are committed. They are processed by workers. */
@Injectable()
export class NotificationIntake {
  private readonly group: GroupCommit<NewNotification, void>;

  constructor(
    private readonly statements: HotStatements,
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
    await this.statements.run(storeStatement, [
      ids,
      notifications.map(({ signer }) => signer.mode),
      notifications.map(({ signer }) => signer.accountIds && `{${signer.accountIds.join(',')}}`),
      notifications.map(({ body }) => body),
    ]);
    void this.queue.add({ ids });
    return notifications.map(() => undefined);
  }
}
