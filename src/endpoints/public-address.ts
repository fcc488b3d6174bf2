import { BlockList, isIP, isIPv4 } from 'node:net';
import { validationError } from '../errors/app-error.js';

/**
 * IPv4 ranges that are not the public internet, and one address of a cloud's host:
 * https://www.iana.org/assignments/iana-ipv4-special-registry (read 2026-11)
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const blockedRanges4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16/32',
];

/**
 * Of IPv6 only global unicast is let through, without the parts of it that are special or carry an
 * IPv4 address inside (Teredo, 6to4). Everything outside, such as NAT64 or `::127.0.0.1`, is refused:
 * https://www.iana.org/assignments/iana-ipv6-special-registry (read 2026-11)
 */
const allowedRange6 = '2000::/3';
const blockedRanges6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const blocked4 = listOf(blockedRanges4, 'ipv4');
const allowed6 = listOf([allowedRange6], 'ipv6');
const blocked6 = listOf(blockedRanges6, 'ipv6');

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an address, in the usual notation of either family, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blocked4.check(address, 'ipv4');
  // An address with a zone is link-local, whatever its digits.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  const mapped = mappedAddress(address);
  if (mapped !== null) return isPublicAddress(mapped);
  return allowed6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6');
}

/** The IPv4 address inside `::ffff:a.b.c.d`, however it is written; null when it is another one. */
function mappedAddress(address: string): string | null {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return null;
  const bytes = [high, low].flatMap((part) => {
    const value = Number.parseInt(part, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}

/**
 * The address that a host name spells out, in any form (`0x7f.1`, `2130706433`, `127.1`,
 * full-width digits, brackets); null when it is a name to look up.
 */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return bare;
  const url = `http://${bare.includes(':') ? `[${bare}]` : bare}/`;
  if (!URL.canParse(url)) return null;
  const canonical = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(canonical) === 0 ? null : canonical;
}

/**
 * Refuses an address of a webhook that nothing will ever be sent to. Other names are looked up when something is sent: they
 * may lead elsewhere by then.
 * @param field the field that holds it.
 * @throws AppError VALIDATION_ERROR
 */
export function refusePrivate(field: string, url: string, allowPrivate: boolean): void {
  if (allowPrivate) return;
  const { hostname } = new URL(url);
  const literal = literalAddress(hostname);
  const isLocalName = /(^|\.)localhost\.?$/.test(hostname);
  if (!isLocalName && (literal === null || isPublicAddress(literal))) return;
  throw validationError({
    [field]:
      'is a private address, where this installation sends nothing; the operator can allow it with WEBHOOK_ALLOW_PRIVATE=true',
  });
}
