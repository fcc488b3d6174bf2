import { amount } from '../parts/numbers.ts';
import { dateOf } from '../parts/times.ts';
import { addressFault } from './address-fault.ts';
import { isWebhookUrl, type KeyDraft } from './key-draft.ts';

/** The limits, expiry, addresses and webhook of a key, in a few words each. */
export function factsOf(draft: KeyDraft): string[] {
  const url = draft.webhookUrl.trim();
  return [
    `Up to ${amount(Number(draft.perMinute || 60))} a minute, ${amount(Number(draft.perDay || 10_000))} a day`,
    draft.expiresAt ? `Until ${dateOf(draft.expiresAt)}` : 'Until you revoke it',
    placesOf(draft.addresses),
    draft.requireSignature ? 'Signed requests only' : 'Signature not required',
    isWebhookUrl(url)
      ? `Replies and statuses go to ${new URL(url).host}`
      : 'Replies and statuses are not sent anywhere',
    ...(draft.active ? [] : ['Refused until you switch it on']),
  ];
}

/** Invalid addresses admit no request. */
function placesOf(addresses: readonly string[]): string {
  if (addresses.length === 0) return 'From any address';
  const right = addresses.filter((address) => addressFault(address) === null).length;
  if (right === 0) return 'No address yet: none of them is valid';
  return `From ${right} ${right === 1 ? 'address' : 'addresses'} only`;
}
