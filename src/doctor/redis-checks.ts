import { askRedis } from '../hints/redis.js';
import { clusterAdvice } from '../hints/unfit-redis.js';
import { type Finding, Findings, reasonOf } from './finding.js';

const timeoutMs = 3_000;

/** Redis answers, drops nothing, and comes back with its queue. */
export async function checkRedis(url: string | null): Promise<Finding[]> {
  const findings = new Findings('redis');
  if (url === null) {
    findings.warn('none is configured (REDIS_URL): PostgreSQL replaces it, more slowly');
    return findings.list;
  }
  const redis = askRedis(url, timeoutMs);
  let reason = '';
  redis.on('error', (error) => {
    reason = reasonOf(error);
  });
  try {
    await redis.connect();
    const startedAt = performance.now();
    const info = factsOf(await redis.info());
    const tookMs = Math.round(performance.now() - startedAt);
    findings.ok(`Redis ${info.get('redis_version')} answers in ${tookMs} ms`);
    const policy = info.get('maxmemory_policy');
    if (policy === 'noeviction') findings.ok('maxmemory-policy is noeviction');
    else findings.fail(`maxmemory-policy is ${policy}: set noeviction, or Redis drops jobs`);
    if (info.get('aof_enabled') === '1') findings.ok('appendonly is on');
    else findings.warn('appendonly is off: a restart empties the queue, which delays messages');
    if (info.get('cluster_enabled') === '1')
      findings.fail(`the server is part of a Redis Cluster: ${clusterAdvice}`);
    if (info.get('role') !== 'master')
      findings.fail('the server is a replica, which accepts no writes');
  } catch (error) {
    findings.fail(`it cannot be reached: ${reason || reasonOf(error)}`);
  } finally {
    redis.disconnect();
  }
  return findings.list;
}

function factsOf(info: string): Map<string, string> {
  return new Map(
    info.split('\r\n').map((line): [string, string] => {
      const [name = '', value = ''] = line.split(':', 2);
      return [name, value];
    }),
  );
}
