import type { EntityManager } from 'typeorm';
import type { EchoReported, MessageReceived } from '#libs/whatsapp';
import type { Mode } from '../../access/mode.js';
import type { Config } from '../../config/config.js';
import { modesOf, type RoutedEvent } from '../routed-event.js';
import { fileOf } from './received-message.js';

/** Where callers fetch a file that came with a message. */
export const mediaUrl = ({ apiUrl }: Config, id: string): string =>
  `${apiUrl}/api/v1/external/media/${encodeURIComponent(id)}`;

/**
 * Lets callers fetch the files of messages.
 * @param messages each with the mode of what it answers, if that is known.
 */
export async function keepFiles(
  manager: EntityManager,
  messages: readonly {
    readonly message: RoutedEvent<MessageReceived | EchoReported>;
    readonly mode?: Mode | undefined;
  }[],
): Promise<void> {
  const files = messages.flatMap(({ message, mode: known }) => {
    const file = fileOf(message.event);
    if (!file) return [];
    const modes = modesOf(known ?? message.mode);
    return modes.map((mode) => ({ ...file, mode, accountId: message.account.id }));
  });
  if (files.length === 0) return;
  files.sort((a, b) => (a.id < b.id ? -1 : 1));
  await manager.query(
    `insert into inbound_media (account_id, mode, media_id, file_name)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
     on conflict do nothing`,
    [
      files.map(({ accountId }) => accountId),
      files.map(({ mode }) => mode),
      files.map(({ id }) => id),
      files.map(({ fileName }) => fileName),
    ],
  );
}
