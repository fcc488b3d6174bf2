import type { MessageDetails } from '../api/types.ts';
import type { destinationOf } from '../session/destination.ts';

/** Whether a message is charged, and as what; the simulator reports prices as WhatsApp does, and charges none. */
export function priceWords(
  { billable, category, type }: NonNullable<MessageDetails['pricing']>,
  destination: ReturnType<typeof destinationOf>,
): string {
  const charge = billable === null ? null : billable ? 'Billed' : 'Free';
  const words = [charge, category, type]
    .filter((word) => word !== null)
    .join(', ')
    .replaceAll('_', ' ');
  return destination === 'simulator' ? `Nothing is charged. WhatsApp would say: ${words}` : words;
}
