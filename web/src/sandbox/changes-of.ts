import type { SimulatorTurn } from '../api/types.ts';

type Turn = Pick<SimulatorTurn, 'id' | 'direction' | 'message'>;

type Thing = Readonly<Record<string, unknown>>;

const thingOf = (value: unknown): Thing =>
  typeof value === 'object' && value !== null ? (value as Thing) : {};

const deleted = {
  in: 'You deleted this message',
  out: 'This message was deleted',
} as const;

/**
 * The turns as they read now. An edit or a revocation has no bubble of its own if what it changes is there: an edited
 * message says the new words, a revoked one that it was deleted. `changed` has their ids.
 */
export function changesOf<T extends Turn>(all: readonly T[]) {
  const now = new Map(all.map((turn) => [turn.id, turn]));
  const changed = new Map<string, 'edited' | 'revoked'>();
  for (const { id, direction, message } of all) {
    if (message.type !== 'edit' && message.type !== 'revoke') continue;
    const { original_message_id: about, message: edited } = thingOf(message[message.type]);
    const before = typeof about === 'string' ? now.get(about) : undefined;
    if (!before || before.direction !== direction || before.id === id) continue;
    now.delete(id);
    if (changed.get(before.id) === 'revoked') continue;
    const isEdit = message.type === 'edit';
    changed.set(before.id, isEdit ? 'edited' : 'revoked');
    now.set(before.id, {
      ...before,
      message: isEdit
        ? { ...thingOf(edited), context: before.message.context }
        : { type: 'text', text: { body: deleted[direction] } },
    });
  }
  return { turns: [...now.values()], changed };
}
