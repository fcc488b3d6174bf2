import type { MessageDetails } from '../api/types.ts';
import type { destinationOf } from '../session/destination.ts';

/** Whether a message is charged, and as what; the simulator reports prices as WhatsApp does, and charges none. */
export function priceWords(
  { billable, category, type }: NonNullable<MessageDetails['pricing']>,
  destination: ReturnType<typeof destinationOf>,
): string {
  const kind = plain([category, type]);
  if (destination === 'whatsapp') {
    return plain([billable === null ? null : billable ? 'Billed' : 'Free', kind || null]);
  }
  const nothing = 'Nothing: it went to the simulator.';
  if (billable === null) return nothing;
  const of = kind && ` (${kind})`;
  return `${nothing} WhatsApp would ${billable ? 'charge for it' : 'send it for free'}${of}.`;
}

const plain = (words: readonly (string | null)[]) =>
  words
    .filter((word) => word !== null)
    .join(', ')
    .replaceAll('_', ' ');
