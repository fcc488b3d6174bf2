import type { NumberCheck } from '../api/types.ts';

type Health = NonNullable<NumberCheck['health']>;

interface Verdict {
  readonly tone: 'green' | 'amber';
  readonly title: string;
  readonly text?: string;
}

const digitsOf = (number: string) => number.replaceAll(/\D/g, '');

/** What a check says about the account's number: whether it can send, and whether it is that number. */
export function checkVerdict(
  ownNumber: string,
  health: Pick<Health, 'display_phone_number' | 'can_send_message'>,
): Verdict {
  const { can_send_message: canSend, display_phone_number: seenNumber } = health;
  const [own, seen] = [digitsOf(ownNumber), digitsOf(seenNumber ?? '')];
  const isOther = seen !== '' && seen !== own;
  const difference = 'WhatsApp has another number for this phone number id.';
  const advice = `Messages go out from +${seen}; this account says +${own}. Correct the number or the phone number id below.`;
  if (canSend !== null && canSend !== 'AVAILABLE') {
    const title = `WhatsApp says ${canSend}.`;
    return { tone: 'amber', title, ...(isOther && { text: `${difference} ${advice}` }) };
  }
  return isOther
    ? { tone: 'amber', title: difference, text: advice }
    : { tone: 'green', title: 'The number can send.' };
}
