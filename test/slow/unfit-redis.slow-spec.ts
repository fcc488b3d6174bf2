import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { installation, stores } from '../support/installation.js';
import { type RedisServer, startRedis } from '../support/redis.mjs';
import { freePort, ServerProcess } from '../support/server-process.js';
import { buttonMessage, Stack } from '../support/stack.js';

const describeWithRedis = stores.includes('redis') ? describe : describe.skip;

/** @returns what a process prints that does not start. */
async function refusalOf(script: string, redisUrl: string): Promise<string> {
  const port = await freePort();
  const server = new ServerProcess(script, `dist/src/${script}.js`, port, {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    REDIS_URL: redisUrl,
    SECRET_KEY: installation.secretKey,
    PORT: String(port),
    WORKER_PORT: String(port),
    LOG_LEVEL: 'silent',
  });
  server.launch();
  expect(await server.exited).toBe(1);
  return server.output;
}

describeWithRedis('a server of a Redis Cluster', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis({
      more: [
        '--cluster-enabled',
        'yes',
        '--cluster-config-file',
        join(tmpdir(), `parley-cluster-${randomUUID()}.conf`),
      ],
    });
  });

  afterAll(() => redis.stop());

  it.each(['main', 'worker'])('is refused by %s', async (script) => {
    expect(await refusalOf(script, redis.url)).toBe(
      'REDIS_URL names a Redis Cluster: Parley needs one Redis server, or one with replicas behind Sentinel, ' +
        'because its scripts use several keys at once\n',
    );
  });
});

describeWithRedis('a Redis whose memory is limited', () => {
  let redis: RedisServer;
  let client: Redis;

  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
  });

  afterAll(async () => {
    client.disconnect();
    await redis.stop();
  });

  const limit = async (policy: string) => {
    await client.config('SET', 'maxmemory', '64mb');
    await client.config('SET', 'maxmemory-policy', policy);
  };

  it.each(['main', 'worker'])('and that may throw keys away is refused by %s', async (script) => {
    await limit('allkeys-lru');
    expect(await refusalOf(script, redis.url)).toBe(
      'REDIS_URL names a Redis that evicts keys when its memory (maxmemory 67108864) is full: ' +
        'its maxmemory-policy is allkeys-lru; set it to noeviction\n',
    );
  });

  it('and that may throw keys away is refused where INFO is forbidden, too', async () => {
    await limit('allkeys-lru');
    await client.acl('SETUSER', 'careful', 'on', '>password', '~*', '&*', '+@all', '-info');
    const redisUrl = redis.url.replace('redis://', 'redis://careful:password@');
    expect(await refusalOf('main', redisUrl)).toContain('set it to noeviction');
  });

  it('and that keeps everything is accepted', async () => {
    await limit('noeviction');
    const stack = await Stack.start({ redisUrl: redis.url });
    try {
      expect((await stack.send('button', buttonMessage())).body.data.status).toBe('sent');
    } finally {
      await stack.stop();
    }
  });

  it('and that does not say is accepted with a warning', async () => {
    await limit('allkeys-lru');
    await client.acl('SETUSER', 'product', 'on', '>password', '~*', '&*', '+@all', '-config');
    const redisUrl = redis.url.replace('redis://', 'redis://product:password@');
    const stack = await Stack.start({ redisUrl });
    try {
      for (const server of [...stack.apis, ...stack.workers]) {
        expect(server.output).toContain('make sure that it is noeviction');
      }
    } finally {
      await stack.stop();
    }
  });
});
