import { isIPv6 } from 'node:net';
import { plainAddress } from '../http/address-list.js';

/**
 * The addresses that limits by address count as one caller: an IPv4 address, or the first 64 bits of an IPv6
 * one. Subscribers get such a block as a whole, so the owner of one address has all of it.
 */
export function addressBlock(address: string): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [start = '', end = ''] = plain.split('%', 1)[0]?.split('::') ?? [];
  const groupsIn = (text: string) => text.split(':').filter((group) => group !== '');
  const [before, after] = [groupsIn(start), groupsIn(end)];
  // The last 32 bits may be written as IPv4, in one group instead of two.
  const written = before.length + after.length + (plain.includes('.') ? 1 : 0);
  const zeros = plain.includes('::') ? Array.from({ length: 8 - written }, () => '0') : [];
  const block = [...before, ...zeros, ...after].slice(0, 4);
  return `${block.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
