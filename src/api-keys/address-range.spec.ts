import { addressRangeFault, coversEverything } from './address-range.js';

describe('an entry of an address list', () => {
  it.each([
    '203.0.113.7',
    '203.0.113.0/24',
    '10.0.0.0/8',
    '203.0.113.7/32',
    '2001:db8::1',
    '2001:db8::/32',
    '2001:db8::1/128',
    '::/1',
    '::ffff:203.0.113.7',
    '::ffff:203.0.113.0/120',
  ])('may be %s', (entry) => {
    expect(addressRangeFault(entry)).toBeNull();
  });

  it.each([
    ['10.0.0.1/8', /bits set/],
    ['203.0.113.7/31', /bits set/],
    ['2001:db8::1/32', /bits set/],
    ['::ffff:203.0.113.1/120', /bits set/],
    ['0.0.0.0/0', /every address/],
    ['::/0', /every address/],
    ['::ffff:0.0.0.0/96', /every address/],
    ['10.0.0.0/33', /1 to 32/],
    ['2001:db8::/129', /1 to 128/],
    ['10.0.0.0/', /1 to 32/],
    ['10.0.0.0/8/8', /must be an address/],
    ['10.0.0', /must be an address/],
    ['010.0.0.1', /must be an address/],
    ['fe80::1%eth0', /must be an address/],
    ['example.com', /must be an address/],
    ['', /must be an address/],
    [' 10.0.0.1', /must be an address/],
    [7, /must be a string/],
    [null, /must be a string/],
  ])('may not be %j', (entry, rule) => {
    expect(addressRangeFault(entry)).toMatch(rule);
  });
});

describe('a list of ranges', () => {
  it.each([
    [['0.0.0.0/1', '128.0.0.0/1']],
    [['128.0.0.0/1', '64.0.0.0/2', '0.0.0.0/2', '10.0.0.0/8']],
    [['::ffff:0.0.0.0/97', '128.0.0.0/1']],
    [['::/1', '8000::/1', '10.0.0.0/8']],
  ])('may cover everything together: %j', (entries) => {
    expect(coversEverything(entries)).toBe(true);
  });

  it('covers everything without the IPv4 addresses in IPv6 form, which it never lets in', () => {
    const others = Array.from({ length: 96 }, (_, bit) => {
      const mappedAt = 0xffff_0000_0000n;
      const size = 127n - BigInt(bit);
      const first = ((mappedAt >> size) ^ 1n) << size;
      const groups = first.toString(16).padStart(32, '0').match(/.{4}/g) ?? [];
      return `${groups.join(':')}/${bit + 1}`;
    });
    expect(coversEverything(others)).toBe(true);
    expect(coversEverything(others.slice(1))).toBe(false);
  });

  it.each([
    [[]],
    [['::/1']],
    [['0.0.0.0/1', '128.0.0.0/2', '224.0.0.0/3']],
    [['0.0.0.0/1', '8000::/1']],
    [['203.0.113.7', '203.0.113.0/24']],
  ])('may leave some out: %j', (entries) => {
    expect(coversEverything(entries)).toBe(false);
  });
});
