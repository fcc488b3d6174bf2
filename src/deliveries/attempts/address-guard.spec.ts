import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import { isPublicAddress, literalAddress } from '../../endpoints/public-address.js';
import { type GuardOptions, guardedConnector } from './address-guard.js';

/** First, last and the neighbours of every blocked range, and what cannot be reached at all. */
const blocked4 =
  `0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.0 10.1.2.3 10.255.255.255 100.64.0.0 100.64.0.1
  100.127.255.255 127.0.0.0 127.0.0.1 127.1.1.1 127.255.255.255 169.254.0.0 169.254.169.254
  169.254.170.2 169.254.255.255 172.16.0.0 172.20.10.1 172.31.255.255 192.0.0.0 192.0.0.170
  192.0.0.255 192.0.2.0 192.0.2.255 192.31.196.0 192.31.196.255 192.52.193.0 192.52.193.255
  192.88.99.0 192.88.99.1 192.88.99.255 192.168.0.0 192.168.1.1 192.168.255.255 192.175.48.0
  192.175.48.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255
  224.0.0.0 224.0.0.1 239.255.255.255 240.0.0.0 247.1.2.3 255.255.255.254 255.255.255.255
  168.63.129.16`.split(/\s+/);

const public4 =
  `1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0
  126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255
  172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.31.195.255 192.31.197.0 192.52.192.255
  192.52.194.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.47.255 192.175.49.0
  198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
  `
    .trim()
    .split(/\s+/);

const blocked6 = `:: ::1 ::2 ::127.0.0.1 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1
  ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe 0:0:0:0:0:ffff:7f00:1 ::FFFF:127.0.0.1
  ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::127.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1
  100:0:0:1::1 1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:1ff:ffff::1 2001:10::1 2001:20::1
  2001:db8::1 2001:db8:ffff::1 2002:: 2002:7f00:1:: 2002:808:808::1 3fff::1 3fff:fff:ffff::1 4000::1
  5f00::1 8000::1 c000::1 fc00::1 fd00::1 fd12:3456:789a::1 fe00::1 fe80::1 fe80::1%eth0 fe80::1%1
  febf::1 fec0::1 ff00::1 ff02::1 ff0e::1 1fff:ffff::1 ffff::1 2606:4700::1111%eth0`.split(/\s+/);

const public6 = `2000::1 2001:200::1 2001:4860:4860::8888 2001:dc8::1 2003::1 2400:cb00::1
  2606:4700:4700::1111 2620:fe::fe 2a00:1450:4001::1 2c0f:fb50::1 3ffe::1 3fff:1000::1 3ffd:ffff::1
  ::ffff:8.8.8.8 ::ffff:808:808 ::FFFF:1.1.1.1`.split(/\s+/);

const notAddresses = [
  '',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '[::1]',
  '1.2.3.4:80',
  ' 1.1.1.1',
];

/** Spellings of loopback and metadata addresses that a URL turns into an address. */
const spellings = `127.0.0.1 127.1 127.0.1 0x7f.1 0x7f.0.0.1 0x7f000001 0X7F000001 2130706433
  017700000001 0177.1 0177.0.0.1 0177.0.0.01 127.0.0.1. 127.1. 2130706433. 0x7f.0x0.0x0.0x1
  １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 127｡0｡0｡1 0 0.0 0x0 00 0.0.0.0 [::1] [::]
  [0:0:0:0:0:0:0:1] [::0001] [::127.0.0.1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001]
  [0000:0000:0000:0000:0000:ffff:7f00:0001] [64:ff9b::127.0.0.1] [2002:7f00:1::] 169.254.169.254
  169.254.43518 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.16689662 0xa9.0xfe.0xa9.0xfe
  [::ffff:169.254.169.254] [fe80::1] [fd00:ec2::254] 10.1 0xa000001 192.168.257 3232235777
  %31%32%37.0.0.1 127.0.0.%31 168.63.129.16 0xa83f8110`.split(/\s+/);

const cases: [string, boolean][] = [
  ...blocked4.map((address): [string, boolean] => [address, false]),
  ...public4.map((address): [string, boolean] => [address, true]),
  ...blocked6.map((address): [string, boolean] => [address, false]),
  ...public6.map((address): [string, boolean] => [address, true]),
  ...notAddresses.map((address): [string, boolean] => [address, false]),
];

describe('the address guard', () => {
  it('is held to more than 200 cases', () => {
    expect(cases.length + spellings.length).toBeGreaterThan(200);
  });

  it.each(cases)('%j: may be reached is %j', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });

  it.each(spellings)('knows %s for a private address as a URL reads it', (host) => {
    const { hostname } = new URL(`http://${host}/`);
    expect(isPublicAddress(literalAddress(hostname) ?? '')).toBe(false);
    expect(literalAddress(hostname)).not.toBeNull();
  });

  it.each(['localhost', 'example.com', 'a.b.c.d', '1.2.3.4.example.com', 'xn--bcher-kva.example'])(
    'takes %s for a name to look up',
    (name) => {
      expect(literalAddress(name)).toBeNull();
    },
  );

  it('judges a mapped address as the IPv4 address in it, and refuses every other embedding', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        expect(isPublicAddress(`::ffff:${address}`)).toBe(isPublicAddress(address));
        expect(isPublicAddress(`::ffff:${hex}`)).toBe(isPublicAddress(address));
        for (const embedded of [
          `::${hex}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::1`,
          `2001:0:${hex}::`,
        ]) {
          expect(isPublicAddress(embedded)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('judges an IPv4 address in whatever spelling alike', () => {
    fc.assert(
      fc.property(fc.ipV4Extended(), (spelled) => {
        const literal = literalAddress(new URL(`http://${spelled}/`).hostname);
        expect(literal).not.toBeNull();
        expect(literalAddress(spelled)).toBe(literal);
      }),
      { numRuns: 500 },
    );
  });

  it('lets no IPv6 address through outside of global unicast', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
        const mayBePublic = /^[23]/.test(canonical) || canonical.startsWith('::ffff:');
        expect([mayBePublic, isPublicAddress(address)]).not.toEqual([false, true]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the guarded connector', () => {
  let server: Server;
  let connections = 0;

  beforeAll(async () => {
    server = createServer((_, response) => response.end('reached'));
    server.on('connection', () => (connections += 1));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });

  beforeEach(() => {
    connections = 0;
  });

  afterAll(() => server.close());

  const at = (host: string) => `http://${host}:${(server.address() as AddressInfo).port}/`;

  async function reach(host: string, options: Partial<GuardOptions> = {}): Promise<string> {
    const connect = guardedConnector({ allowPrivate: false, timeoutMs: 2_000, ...options });
    const agent = new Agent({ connect });
    try {
      return await (await request(at(host), { dispatcher: agent })).body.text();
    } finally {
      await agent.destroy();
    }
  }

  it.each([
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '127.1',
    '①②⑦.⓪.⓪.①',
    '[::ffff:127.0.0.1]',
    '[::1]',
  ])('makes no connection to %s', async (host) => {
    await expect(reach(host)).rejects.toMatchObject({ code: 'ERR_BLOCKED_ADDRESS' });
    expect(connections).toBe(0);
  });

  it('goes by the answer of the connection itself, not by an earlier one', async () => {
    const answers = ['93.184.216.34', '127.0.0.1'];
    const resolve = () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }];
    const [earlier] = resolve();
    expect(isPublicAddress(earlier?.address ?? '')).toBe(true);
    const lookup: GuardOptions['lookup'] = (_, __, callback) => callback(null, resolve());
    await expect(reach('rebinding.example', { lookup })).rejects.toMatchObject({
      code: 'ERR_BLOCKED_ADDRESS',
    });
    expect(connections).toBe(0);
  });

  it('refuses a name when one of its addresses is bad', async () => {
    const lookup: GuardOptions['lookup'] = (_, __, callback) =>
      callback(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    await expect(reach('mixed.example', { lookup })).rejects.toMatchObject({
      code: 'ERR_BLOCKED_ADDRESS',
    });
  });

  it('lets private addresses through where the operator allows them', async () => {
    expect(await reach('127.0.0.1', { allowPrivate: true })).toBe('reached');
  });
});
