import type { ContactDetails } from '../api/types.ts';

/** Whether something reaches a contact now. */
export interface Reach {
  readonly what: string;
  readonly is: 'yes' | 'maybe' | 'no';
  /** Why it does not, or why that is not known. */
  readonly why: string;
}

const optedOut = 'they have opted out, so Parley does not send them';

const windowReach = {
  open: { is: 'yes', why: '' },
  closed: { is: 'no', why: 'the window is closed' },
  unknown: { is: 'maybe', why: 'Parley does not know whether they wrote in the last 24 hours' },
} as const;

/** What arrives, by window and consent; sign-in codes need a phone number and no consent. */
export function reachOf({
  window,
  opted_out,
  phone,
  refusedAt,
}: Pick<ContactDetails, 'opted_out' | 'phone'> & {
  readonly window: Pick<ContactDetails['window'], 'state'>;
  /** When WhatsApp said that the window is closed, if nothing newer is known. */
  readonly refusedAt?: string | null;
}): readonly Reach[] {
  const only = (what: string, isFine: boolean, why: string): Reach =>
    isFine ? { what, is: 'yes', why: '' } : { what, is: 'no', why };
  return [
    {
      what: 'Text, media, buttons and lists',
      ...windowReach[window.state],
      ...(window.state === 'unknown' &&
        refusedAt && { why: 'if they have written since WhatsApp refused a message' }),
    },
    only('Marketing templates', opted_out === null, optedOut),
    only('Utility templates', opted_out !== 'all', optedOut),
    only('One-time codes', phone !== null, 'they need a phone number'),
  ];
}
