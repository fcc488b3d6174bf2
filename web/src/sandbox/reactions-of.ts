import type { SimulatorTurn } from '../api/types.ts';
import { shownMessage } from '../phone/shown-message.ts';

type Turn = Pick<SimulatorTurn, 'id' | 'direction' | 'status' | 'message'>;

/**
 * The turns that have a bubble, and the emojis at it by its id. A reaction to a bubble has none of its own;
 * each side has at most one emoji at a bubble, the last one. `own` has those of the user.
 */
export function reactionsOf<T extends Turn>(all: readonly T[]) {
  const ids = new Set(all.map(({ id }) => id));
  const emojis = new Map<string, Map<Turn['direction'], string>>();
  const turns = all.filter(({ direction, status, message }) => {
    const { reaction } = shownMessage(message);
    if (!reaction || status === 'failed' || !ids.has(reaction.about)) return true;
    const ofBubble = emojis.get(reaction.about) ?? new Map<Turn['direction'], string>();
    emojis.set(reaction.about, ofBubble.set(direction, reaction.emoji));
    return false;
  });
  const reactions = new Map(
    [...emojis].map(([id, ofBubble]) => [id, [...ofBubble.values()].filter(Boolean)]),
  );
  const own = new Map([...emojis].map(([id, ofBubble]) => [id, ofBubble.get('in') ?? '']));
  return { turns, reactions, own };
}
