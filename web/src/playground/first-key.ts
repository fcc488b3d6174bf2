import type { MessageType } from '../../../src/messages/message.ts';
import { sendPermissionOf } from '../../../src/messages/sends/send-permission.ts';
import type { ApiKey } from '../api/types.ts';
import { isTemplate, type PlaygroundType } from './playground-types.ts';

/**
 * The key with which the playground opens: one that may send the type, the one that was used last.
 * @param keys usable ones, the newest first.
 */
export function firstKey(keys: readonly ApiKey[], type: PlaygroundType): ApiKey | undefined {
  const sent: MessageType = isTemplate(type) ? 'template' : type;
  const able = keys.filter(({ permissions }) => permissions.includes(sendPermissionOf(sent)));
  const usedAt = ({ last_used_at: at }: ApiKey) => (at === null ? 0 : Date.parse(at));
  // Sorting is stable: of those that were never used, the newest comes first.
  return able.toSorted((one, other) => usedAt(other) - usedAt(one))[0] ?? keys[0];
}
