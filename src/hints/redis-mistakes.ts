import { ConfigError } from '../config/config.js';

/**
 * What is wrong with `REDIS_URL`, as far as the error of a first connection tells; null for a Redis that is away, which is
 * no reason not to start.
 */
export function redisMistake(error: unknown, redisUrl: string): ConfigError | null {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const url = URL.canParse(redisUrl) ? new URL(redisUrl) : null;
  const server = serverOf(redisUrl);
  const mistake = (text: string) => new ConfigError(`REDIS_URL: ${text}`);
  if (/WRONGPASS|NOAUTH|invalid password|without any password configured/.test(message)) {
    return mistake(
      `Redis at ${server} refuses user or password (${message}); correct them (in a URL, @ : / # of a password are written as %40 %3A %2F %23)`,
    );
  }
  if (/DB index is out of range|invalid DB index/i.test(message)) {
    return mistake(`Redis at ${server} has no database of this number; correct the end of the URL`);
  }
  if (code === 'ENOTFOUND') return mistake(`the host ${url?.hostname} is not known; correct it`);
  if (/^ERR_SSL|^EPROTO$/.test(code)) return noTls(redisUrl);
  if (
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+)$/.test(
      code,
    )
  ) {
    return mistake(
      `the certificate of Redis at ${server} is not trusted (${message}); name its authority in NODE_EXTRA_CA_CERTS`,
    );
  }
  return null;
}

/** A Redis without TLS that is asked for it. */
export function noTls(redisUrl: string): ConfigError {
  return new ConfigError(
    `REDIS_URL: Redis at ${serverOf(redisUrl)} speaks no TLS; begin the URL with redis: instead of rediss:`,
  );
}

const serverOf = (url: string) => (URL.canParse(url) && new URL(url).host) || 'its address';
