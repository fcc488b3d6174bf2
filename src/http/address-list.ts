import { BlockList, isIP } from 'node:net';

const mappedPrefix = '::ffff:';

/** An IPv4 address that came in IPv6 form, as IPv4. */
export function plainAddress(address: string): string {
  const lower = address.toLowerCase();
  const inner = lower.slice(mappedPrefix.length);
  return lower.startsWith(mappedPrefix) && isIP(inner) === 4 ? inner : address;
}

/** The source addresses that a key may be used from. */
export class AddressList {
  private readonly list = new BlockList();

  /** @param entries addresses or CIDR ranges, IPv4 or IPv6, already validated. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [given = '', prefix] = entry.split('/');
      const address = plainAddress(given);
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
      // `::ffff:10.0.0.0/104` is 10.0.0.0/8: the 96 bits before it are the mapping.
      const bits = prefix === undefined ? null : Number(prefix) - (address === given ? 0 : 96);
      if (bits === null) this.list.addAddress(address, family);
      else this.list.addSubnet(address, bits, family);
    }
  }

  /** Whether a request may come from here. Anything that is not an address (a forged header) may not. */
  allows(address: string): boolean {
    const plain = plainAddress(address);
    const family = isIP(plain);
    return family !== 0 && this.list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
  }
}
