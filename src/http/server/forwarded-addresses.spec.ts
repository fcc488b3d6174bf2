import { bareAddress, normalizeForwarded } from './forwarded-addresses.js';

describe('the addresses that a proxy forwards', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['"203.0.113.7"', '203.0.113.7'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
    ['unknown', 'unknown'],
    ['_hidden', '_hidden'],
    ['203.0.113.7:', '203.0.113.7:'],
    ['', ''],
  ])('are read from %j as %j', (text, address) => {
    expect(bareAddress(text)).toBe(address);
  });

  it.each([
    ['with ports', { 'x-forwarded-for': '203.0.113.7:4711, [2001:db8::1]:80' }],
    ['in two headers', { 'x-forwarded-for': ['203.0.113.7', '2001:db8::1'] as never }],
    ['as RFC 7239', { forwarded: 'for=203.0.113.7;proto=https, By=x;For="[2001:db8::1]:80"' }],
    [
      'the older header first',
      { 'x-forwarded-for': '203.0.113.7,2001:db8::1', forwarded: 'for=10.0.0.1' },
    ],
  ])(
    'are a list of bare ones: %s',
    (_, headers: { 'x-forwarded-for'?: string; forwarded?: string }) => {
      normalizeForwarded(headers);
      expect(headers['x-forwarded-for']).toBe('203.0.113.7, 2001:db8::1');
    },
  );

  it('are not made up', () => {
    const headers: Record<string, string> = {};
    normalizeForwarded(headers);
    expect(headers).toEqual({});
    const hidden: Record<string, string> = { forwarded: 'for=_hidden, proto=http' };
    normalizeForwarded(hidden);
    expect(hidden['x-forwarded-for']).toBe('_hidden, unknown');
  });
});
