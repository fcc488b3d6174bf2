import { BlockList, isIP } from 'node:net';

const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** An IPv4 address that came in IPv6 form, however it is written, as IPv4. */
export function plainAddress(address: string): string {
  // Most addresses are IPv4 or of no such form: they need no parser.
  if (!/ffff/i.test(address) || isIP(address) !== 6 || address.includes('%')) return address;
  const { hostname } = new URL(`http://[${address}]/`);
  const [, high = '', low = ''] = mapped.exec(hostname.slice(1, -1)) ?? [];
  if (high === '') return address;
  const bits = Number.parseInt(high, 16) * 0x1_0000 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}

/** The source addresses that a key may be used from. */
export class AddressList {
  /** By family: one list would hold IPv4 addresses to the ranges of IPv6, too. */
  private readonly lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  /** @param entries addresses or CIDR ranges, IPv4 or IPv6, already validated. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [given = '', prefix] = entry.split('/');
      const address = plainAddress(given);
      const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
      // `::ffff:10.0.0.0/104` is 10.0.0.0/8: the 96 bits before it are the mapping.
      const bits = prefix === undefined ? null : Number(prefix) - (address === given ? 0 : 96);
      if (bits === null) this.lists[family].addAddress(address, family);
      else this.lists[family].addSubnet(address, bits, family);
    }
  }

  /** Whether a request may come from here. Anything that is not an address (a forged header) may not. */
  allows(address: string): boolean {
    const plain = plainAddress(address);
    const family = isIP(plain);
    if (family === 0) return false;
    return family === 4
      ? this.lists.ipv4.check(plain, 'ipv4')
      : this.lists.ipv6.check(plain, 'ipv6');
  }
}
