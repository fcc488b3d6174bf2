import { describe, expect, it } from '@jest/globals';
import {
  addressIn,
  isUnreadText,
  requestFilter,
  requestIdIn,
  unreadParts,
} from './request-search.ts';

const id = `req_${'01a21529'.repeat(4)}`;
const keyId = '01a21528-e28f-7000-8000-000000fa0e46';

describe('what the page of requests does not understand', () => {
  it('is a text that is no id and no address', () => {
    expect(['10.0.0.1', `req_${'0'.repeat(32)}`, '', undefined].map(isUnreadText)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(isUnreadText('shop')).toBe(true);
  });

  it('is each other value that narrows nothing', () => {
    const search = { result: 'refused', status: '9', code: 'x', range: 'week' };
    expect(unreadParts(search, requestFilter(search))).toEqual([
      ['status', '9'],
      ['code', 'x'],
      ['range', 'week'],
    ]);
  });
});

describe('what the field of the requests searches for', () => {
  it('is a request id, as it was copied', () => {
    expect(requestIdIn(` ${id.toUpperCase()}\n`)).toBe(id);
  });

  it.each(['', 'req_12', id.slice(4), `${id}0`])('is none in %p', (text) => {
    expect(requestIdIn(text)).toBeUndefined();
  });

  it.each(['192.0.2.200', ' 10.0.0.255 ', '2001:db8::1', '::1', '::ffff:192.0.2.1'])(
    'is the address %p',
    (text) => expect(addressIn(text)).toBe(text.trim()),
  );

  it.each(['', '192.0.2', '192.0.2.256', '1.2.3.4.', '1.2.3.4.5', ':', '2001:db8::1::2', 'beef'])(
    'is no address in %p',
    (text) => expect(addressIn(text)).toBeUndefined(),
  );
});

describe('the filter of the requests', () => {
  it('is what the address of the page says', () => {
    expect(
      requestFilter({
        q: '192.0.2.200',
        result: 'refused',
        route: '/messages/:uuid',
        status: '4xx',
        code: 'VALIDATION_ERROR',
        key: keyId,
        mode: 'test',
      }),
    ).toEqual({
      address: '192.0.2.200',
      refused: 'true',
      route: '/messages/:uuid',
      status: '4xx',
      code: 'VALIDATION_ERROR',
      key_id: keyId,
      mode: 'test',
    });
    expect(requestFilter({ result: 'accepted' })).toEqual({ refused: 'false' });
  });

  it('leaves out what the API would refuse', () => {
    expect(
      requestFilter({
        q: 'somewhere',
        result: 'maybe',
        route: 'messages',
        status: '600',
        code: 'lower',
        key: 'mine',
        mode: 'real',
      }),
    ).toEqual({});
  });
});
