import type { EntityManager } from 'typeorm';
import type { EchoReported, MessageReceived } from '#libs/whatsapp';
import type { Mode } from '../../access/mode.js';
import type { Config } from '../../config/config.js';
import { modesOf, type RoutedEvent } from '../routed-event.js';
import * as sql from './inbound-files.statements.js';
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
  await sql.keepInboundFiles.run(manager, {
    accountIds: files.map(({ accountId }) => accountId),
    modes: files.map(({ mode }) => mode),
    ids: files.map(({ id }) => id),
    fileNames: files.map(({ fileName }) => fileName),
  });
}
