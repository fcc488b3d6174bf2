import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';

const allOfV4 = 0xffff_0000_0000n;

/**
 * The fault of an entry in an address list, or null. It takes addresses and CIDR ranges of
 * IPv4 and IPv6. A range whose host bits are set does not mean what it says, and a range of
 * every address restricts nothing.
 */
export function addressRangeFault(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  const [address = '', prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) {
    return 'must be an address or a CIDR range, such as 203.0.113.7 or 203.0.113.0/24';
  }
  if (prefix === undefined) return null;
  const length = family === 4 ? 32 : 128;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > length) {
    return `must have a prefix length from 1 to ${length}`;
  }
  const hostBits = BigInt(length - Number(prefix));
  // `::ffff:0:0/96` is every address of IPv4, written in IPv6.
  const isAllOfV4 = family === 6 && prefix === '96' && bitsOfV6(address) === allOfV4;
  if (Number(prefix) === 0 || isAllOfV4) return 'must not cover every address';
  const bits = family === 4 ? bitsOfV4(address) : bitsOfV6(address);
  if ((bits >> hostBits) << hostBits !== bits) {
    return 'must not have bits set beyond its prefix length';
  }
  return null;
}

type Range = readonly [first: bigint, last: bigint];

const lastOf = { 4: (1n << 32n) - 1n, 6: (1n << 128n) - 1n } as const;

/** IPv4 in IPv6 form; as a source address it is held to the ranges of IPv4. */
const mappedRange: Range = [allOfV4, allOfV4 | lastOf[4]];

/** What a valid entry covers of its family. */
function rangeOf(entry: string): { family: 4 | 6; range: Range } {
  const [address = '', prefix] = entry.split('/');
  const family = isIP(address) === 4 ? 4 : 6;
  const first = family === 4 ? bitsOfV4(address) : bitsOfV6(address);
  const hostBits = BigInt((family === 4 ? 32 : 128) - Number(prefix ?? (family === 4 ? 32 : 128)));
  const last = first | ((1n << hostBits) - 1n);
  return family === 6 && first >= mappedRange[0] && last <= mappedRange[1]
    ? { family: 4, range: [first - allOfV4, last - allOfV4] }
    : { family, range: [first, last] };
}

/** Whether valid entries together cover every address of IPv4, or every one of IPv6. */
export function coversEverything(entries: readonly string[]): boolean {
  const all = entries.map(rangeOf);
  return ([4, 6] as const).some((family) => {
    const ranges = all.filter((each) => each.family === family).map(({ range }) => range);
    if (family === 6 && ranges.length > 0) ranges.push(mappedRange);
    let next = 0n;
    for (const [first, last] of ranges.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (first > next) return false;
      if (last >= next) next = last + 1n;
    }
    return next > lastOf[family];
  });
}

/** A list whose entries together leave some address out, in each family that they name. */
export function LeavesAddressesOut(): PropertyDecorator {
  return ValidateBy({
    name: 'leavesAddressesOut',
    validator: {
      validate: (value: unknown) =>
        !Array.isArray(value) ||
        value.length > 100 ||
        value.some((entry) => addressRangeFault(entry) !== null) ||
        !coversEverything(value as string[]),
      defaultMessage: () =>
        'must not cover every address: together these ranges do, and so restrict nothing',
    },
  });
}

function bitsOfV4(address: string): bigint {
  return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

const groups = (text: string) => (text === '' ? [] : text.split(':'));

function bitsOfV6(address: string): bigint {
  // The URL parser writes every form of an address in groups of hexadecimal digits.
  const { hostname } = new URL(`http://[${address}]/`);
  const [before = '', after] = hostname.slice(1, -1).split('::');
  const [head, tail] = [groups(before), groups(after ?? '')];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].reduce(
    (bits, group) => (bits << 16n) | BigInt(`0x${group}`),
    0n,
  );
}
