import { amount } from '../parts/numbers.ts';
import { dateOf } from '../parts/times.ts';
import { addressFault } from './address-fault.ts';
import { isWebhookUrl, type KeyDraft } from './key-draft.ts';

/** The limits, expiry, addresses and webhook of a key, in a few words each. */
export function factsOf(draft: KeyDraft): string[] {
  return [
    `Up to ${amount(Number(draft.perMinute || 60))} a minute, ${amount(Number(draft.perDay || 10_000))} a day`,
    draft.expiresAt ? `Until ${dateOf(draft.expiresAt)}` : 'Until you revoke it',
    placesOf(draft.addresses),
    draft.requireSignature ? 'Signed requests only' : 'Signature not required',
    placeOfEvents(draft),
    ...(draft.active ? [] : ['Refused until you switch it on']),
  ];
}

function placeOfEvents({ webhookUrl, eventFeed }: KeyDraft): string {
  const url = webhookUrl.trim();
  const host = isWebhookUrl(url) ? new URL(url).host : null;
  if (host === null) {
    return eventFeed
      ? 'Replies and statuses wait in the event feed'
      : 'Replies and statuses are not sent anywhere';
  }
  return `Replies and statuses go to ${host}${eventFeed ? ' and into the event feed' : ''}`;
}

/** Invalid addresses admit no request. */
function placesOf(addresses: readonly string[]): string {
  if (addresses.length === 0) return 'From any address';
  const right = addresses.filter((address) => addressFault(address) === null).length;
  if (right === 0) return 'No address yet: none of them is valid';
  return `From ${right} ${right === 1 ? 'address' : 'addresses'} only`;
}
