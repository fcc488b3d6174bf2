import { Config, ConfigError } from './config.js';

const enough = {
  DATABASE_URL: 'postgres://parley:secret@127.0.0.1:5432/parley',
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
};

describe('the configuration', () => {
  it('needs a database and a secret key, and has defaults for the rest', () => {
    const config = new Config(enough);
    expect(config.port).toBe(3000);
    expect(config.metricsPort).toBeNull();
    expect(config.host).toBe('127.0.0.1');
    expect(config.redisUrl).toBeNull();
    expect(config.platformBaseUrl).toBe('https://graph.facebook.com/v25.0');
    expect(config.sendWaitMs).toBe(10_000);
    expect(config.maxInFlight).toBe(256);
    expect(config.webhookRetrySeconds).toHaveLength(9);
  });

  it('takes an empty value for no value', () => {
    expect(new Config({ ...enough, REDIS_URL: '', SEND_WAIT_MS: '' }).sendWaitMs).toBe(10_000);
  });

  it('keeps only the origin of the public address', () => {
    const { publicUrl, publicPath } = new Config({
      ...enough,
      PUBLIC_URL: 'https://parley.example/x/',
    });
    expect([publicUrl, publicPath]).toEqual(['https://parley.example', '/x/']);
    expect(new Config({ ...enough, PUBLIC_URL: 'https://parley.example/' }).publicPath).toBeNull();
  });

  it('takes what a simulator signs only where there is a simulator', () => {
    const signed = { ...enough, SIMULATOR_APP_SECRET: 'secret-of-the-simulator' };
    const simulated = { ...signed, SIMULATOR_URL: 'http://127.0.0.1:3002' };
    expect(new Config(enough).simulatorAppSecret).toBeNull();
    expect(new Config(signed).simulatorAppSecret).toBeNull();
    expect(new Config(simulated).simulatorAppSecret).toBe('secret-of-the-simulator');
  });

  it.each([
    ['PORT', '70000', 'PORT is "70000"; it takes a port from 0 to 65535'],
    ['METRICS_PORT', 'none', 'METRICS_PORT is "none"; it takes a port from 0 to 65535'],
    ['METRICS_PORT', '3000', 'METRICS_PORT is "3000"; it takes another port than PORT'],
    ['SEND_WAIT_MS', '500', 'SEND_WAIT_MS is "500"; it takes milliseconds from 1000 to 25000'],
    ['SEND_WAIT_MS', 'long', 'SEND_WAIT_MS is "long"; it takes milliseconds from 1000 to 25000'],
    ['REDIS_URL', 'localhost:6379', 'REDIS_URL is not valid (value hidden); it takes redis://'],
    [
      'REDIS_URL',
      'redis+sentinel://:secret@one,two',
      'REDIS_URL is not valid (value hidden); it takes redis://host:port, rediss://host:port or, ' +
        'with Sentinel, redis+sentinel://host1:26379,host2:26379,host3:26379/name-of-the-master',
    ],
    ['SECRET_KEY', 'c2hvcnQ=', 'SECRET_KEY is not valid (value hidden); it takes one or more keys'],
    ['TRUSTED_PROXIES', 'true', 'TRUSTED_PROXIES is "true"; it takes addresses or CIDR'],
    ['TRUSTED_PROXIES', '0.0.0.0/0', 'TRUSTED_PROXIES is "0.0.0.0/0"; it takes addresses or CIDR'],
    ['WEBHOOK_ALLOW_PRIVATE', 'maybe', 'WEBHOOK_ALLOW_PRIVATE is "maybe"; it takes true or false'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL is "loud"; it takes one of fatal'],
    ['DATABASE_URL', '', 'DATABASE_URL is missing; it takes postgres://'],
    [
      'SIMULATOR_APP_SECRET',
      'simulator',
      'SIMULATOR_APP_SECRET is not valid (value hidden); it takes at least 16 characters',
    ],
  ])('refuses %s=%s and says what it takes', (name, value, message) => {
    const read = () => new Config({ ...enough, [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(message);
  });
});
