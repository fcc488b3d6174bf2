import { AddressList } from './address-list.js';

describe('a list of allowed addresses', () => {
  it.each([
    ['an address', ['203.0.113.7'], '203.0.113.7', true],
    ['another address', ['203.0.113.7'], '203.0.113.8', false],
    ['an address of a range', ['10.0.0.0/8'], '10.255.1.2', true],
    ['an address next to a range', ['10.0.0.0/8'], '11.0.0.1', false],
    ['a mapped address', ['203.0.113.7'], '::ffff:203.0.113.7', true],
    ['a mapped address in capitals', ['203.0.113.7'], '::FFFF:203.0.113.7', true],
    ['an address, listed as mapped', ['::ffff:203.0.113.7'], '203.0.113.7', true],
    ['an address of a range, listed as mapped', ['::ffff:10.0.0.0/104'], '10.1.2.3', true],
    ['an IPv6 address', ['2001:db8::1'], '2001:db8:0:0::1', true],
    ['an IPv6 address of a range', ['2001:db8::/32'], '2001:db8:ffff::9', true],
    ['an IPv6 address next to a range', ['2001:db8::/32'], '2001:db9::1', false],
    ['an IPv4 address where only IPv6 is listed', ['2001:db8::/32'], '10.0.0.1', false],
    ['an IPv4 address where a range of IPv6 contains its IPv6 form', ['::/1'], '10.0.0.1', false],
    ['the same, mapped', ['::/1'], '::ffff:10.0.0.1', false],
    ['a mapped address in hexadecimal digits', ['10.0.0.0/8'], '::ffff:a00:1', true],
    ['a mapped address in full', ['10.0.0.0/8'], '0:0:0:0:0:ffff:10.0.0.1', true],
    ['a range, mapped in hexadecimal digits', ['::ffff:a00:0/104'], '10.1.2.3', true],
    ['an address above 127', ['203.0.113.0/24'], '::ffff:cb00:7109', true],
    ['the last of several', ['192.0.2.1', '2001:db8::/32', '10.0.0.0/24'], '10.0.0.9', true],
    ['what is no address', ['10.0.0.0/8'], 'not-an-ip', false],
    ['nothing', ['10.0.0.0/8'], '', false],
  ])('decides for %s', (_, entries, address, expected) => {
    expect(new AddressList(entries).allows(address)).toBe(expected);
  });
});
