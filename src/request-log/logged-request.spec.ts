import type { Request } from '../http/request.js';
import {
  fieldNames,
  findUuidOf,
  isExternal,
  knownAddress,
  requestIdOf,
  storedRoute,
} from './logged-request.js';

describe('the names of fields that are stored', () => {
  const namesOf = (...paths: string[]) =>
    fieldNames(Object.fromEntries(paths.map((path) => [path, 'must not be "a value"'])));

  it('are those of the API and of mappings, without what is wrong', () => {
    const names = [
      'to',
      'sections[1].rows[10].title',
      'Idempotency-Key',
      'hub.challenge',
      'variables.first_name',
    ];
    expect(namesOf(...names)).toEqual(names);
  });

  it.each([
    ['+14155550123', '…'],
    ['14155550123', '…'],
    ['a14155550123', '…'],
    ['header.Dear Mrs Smith', 'header.…'],
    ['US.13491208655302741918', 'US.…'],
    ['header.__proto__ is "x"', 'header.…'],
    ['a'.repeat(300), '…'],
    ['', '…'],
  ])('do not tell a number or a text that stands in the place of a name: %s', (path, name) => {
    expect(namesOf(path)).toEqual([name]);
  });

  it('stand once each', () => {
    expect(namesOf('to', '+14155550123', '+14155550124')).toEqual(['to', '…']);
  });
});

describe('a request', () => {
  it.each([
    ['/api/v1/external/messages/:uuid', '/api/v1/external/messages/1', true],
    [undefined, '/api/v1/external/nothing?here', true],
    [undefined, '/api/v1/externals', false],
    ['/api/v1/dashboard/messages', '/api/v1/dashboard/messages?q=/api/v1/external/', false],
    ['/health/live', '/health/live', false],
  ])('of the route %s at %s is logged: %s', (route, url, isLogged) => {
    expect(isExternal({ routeOptions: { url: route }, url } as Request)).toBe(isLogged);
  });

  it('has an id that callers know in another form', () => {
    const id = '01a1fe24-d4ba-71e8-a502-760746519a21';
    expect(requestIdOf(id)).toBe('req_01a1fe24d4ba71e8a502760746519a21');
    expect(findUuidOf(requestIdOf(id).toUpperCase())).toBe(id);
    expect(findUuidOf(id)).toBeNull();
  });

  it('has the address that it came from, and none where a header says anything else', () => {
    const addresses = [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '2001:DB8:0:0::1',
      'fe80::1%eth0',
      'x","y',
    ];
    expect(addresses.map(knownAddress)).toEqual([
      '203.0.113.7',
      '203.0.113.7',
      '2001:db8::1',
      'fe80::1',
      null,
    ]);
  });

  it('has its route without what all routes begin with', () => {
    expect(storedRoute('/api/v1/external/messages/:uuid')).toBe('/messages/:uuid');
    expect(storedRoute('/messages/:uuid')).toBe('/messages/:uuid');
  });
});
