import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** An address in the forms that proxies write: `203.0.113.7:4711` (Azure), `[2001:db8::1]:443`, in quotes. */
const addressForm = /^"?(?:\[([^\]]+)\](?::\d+)?|([^:"]+):\d+|([^"]+))"?$/;

/** The address alone; what is none stays as it is, and no list of addresses has it. */
export function bareAddress(text: string): string {
  const found = addressForm.exec(text.trim());
  const address = found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
  return isIP(address) === 0 ? text.trim() : address;
}

const forPair = /(?:^|[;\s])for=("[^"]*"|[^;,\s]*)/i;

/** The addresses of RFC 7239's `Forwarded`, in the order in which proxies added them. */
function addressesOf(forwarded: string): string {
  // A quoted address has no comma.
  return forwarded
    .split(',')
    .map((element) => forPair.exec(element)?.[1] ?? 'unknown')
    .join(',');
}

/**
 * Writes `X-Forwarded-For` with bare addresses, the form in which it is read. Where a proxy sends only `Forwarded`
 * (RFC 7239), its addresses count.
 */
export function normalizeForwarded(headers: IncomingHttpHeaders): void {
  const given = headers['x-forwarded-for'] ?? (headers.forwarded && addressesOf(headers.forwarded));
  if (given === undefined) return;
  headers['x-forwarded-for'] = [given].flat().join(',').split(',').map(bareAddress).join(', ');
}
