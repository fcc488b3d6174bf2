import type { DeliveryAnswer, SimulatorTurn } from '../api/types.ts';
import type { ReplyTicks } from '../phone/message-bubble.tsx';

/** An event, as far as it says what became of a message. */
interface Told {
  readonly body: string;
  readonly delivery: Pick<DeliveryAnswer['delivery'], 'event' | 'status'>;
}

/** ✓ left the phone, ✓✓ Parley reported it, and an endpoint answered 2xx; blue: the business has read it. */
export function ticksOf(
  { id, is_read: isRead }: Pick<SimulatorTurn, 'id' | 'is_read'>,
  deliveries: readonly Told[],
): ReplyTicks {
  if (isRead) return 'read';
  const own = deliveries.filter(
    ({ delivery, body }) => isMessage.has(delivery.event) && idOf(body) === id,
  );
  if (own.some(({ delivery }) => delivery.status === 'succeeded')) return 'delivered';
  return own.length > 0 ? 'taken' : 'gone';
}

const isMessage: ReadonlySet<string> = new Set(['message.received', 'message.standby']);

const idOf = (body: string) =>
  (JSON.parse(body) as { data: { message_id?: string } }).data.message_id;
