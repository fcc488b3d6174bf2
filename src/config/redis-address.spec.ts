import { readSentinelAddress } from './redis-address.js';

describe('an address with Sentinel', () => {
  it('names the sentinels and the master', () => {
    expect(readSentinelAddress('redis+sentinel://one,two:26380,[::1]:5/parley')).toEqual({
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_380 },
        { host: '::1', port: 5 },
      ],
      name: 'parley',
      db: 0,
      isEncrypted: false,
    });
  });

  it('has passwords, a database and TLS', () => {
    const address = 'rediss+sentinel://me:p%40ss%2Fword@one,two/parley/3?sentinel_password=a%26b';
    expect(readSentinelAddress(address)).toEqual({
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_379 },
      ],
      name: 'parley',
      db: 3,
      username: 'me',
      password: 'p@ss/word',
      sentinelPassword: 'a&b',
      isEncrypted: true,
    });
    expect(readSentinelAddress('redis+sentinel://:secret@one/parley')).toMatchObject({
      username: undefined,
      password: 'secret',
    });
  });

  it.each([
    'redis://one:6379',
    'redis+sentinel://one,two',
    'redis+sentinel://one,two/',
    'redis+sentinel:///parley',
    'redis+sentinel://one,,two/parley',
    'redis+sentinel://one,:26379/parley',
    'redis+sentinel://one:port/parley',
    'redis+sentinel://one:70000/parley',
    'redis+sentinel://one/parley/first',
    'redis+sentinel://one/parley/1/2',
    'redis+sentinel://one/parley?password=secret',
    'redis+sentinel://one/parley#secret',
    'redis+sentinel://me:100%@one/parley',
  ])('is not %s', (address) => {
    expect(readSentinelAddress(address)).toBeNull();
  });
});
