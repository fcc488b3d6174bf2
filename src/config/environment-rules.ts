import { isIP } from 'node:net';
import { registerDecorator, type ValidationOptions } from 'class-validator';
import { serversOf } from './database-servers.js';
import { readSentinelAddress } from './redis-address.js';

function rule(name: string, isValid: (value: string) => boolean) {
  return (options: ValidationOptions): PropertyDecorator =>
    (target, propertyName) => {
      registerDecorator({
        name,
        target: target.constructor,
        propertyName: String(propertyName),
        options,
        validator: { validate: (value: unknown) => typeof value === 'string' && isValid(value) },
      });
    };
}

function parseUrl(value: string): URL | null {
  return URL.canParse(value) ? new URL(value) : null;
}

/** An http(s) URL without query or fragment. */
export const IsBaseUrl = rule('isBaseUrl', (value) => {
  const url = parseUrl(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
});

/** A URL of PostgreSQL, of one server or of several. */
export const IsDatabaseUrl = rule('isDatabaseUrl', (value) => serversOf(value) !== null);

/** The address of a Redis, or of the sentinels that know it. */
export const IsRedisUrl = rule(
  'isRedisUrl',
  (value) =>
    /^rediss?:$/.test(parseUrl(value)?.protocol ?? '') || readSentinelAddress(value) !== null,
);

/** Comma-separated keys of exactly 32 bytes, in base64. */
export const IsKeyList = rule('isKeyList', (value) =>
  value.split(',').every((key) => {
    const bytes = Buffer.from(key.trim(), 'base64');
    return bytes.length === 32 && /^[A-Za-z0-9+/_-]{43}=?$/.test(key.trim());
  }),
);

/** Comma-separated positive numbers of seconds. */
export const IsSecondsList = rule('isSecondsList', (value) =>
  value.split(',').every((seconds) => /^\d+(\.\d+)?$/.test(seconds.trim())),
);

/**
 * Comma-separated addresses or CIDR ranges. A range that covers everything is refused: if a process
 * trusted it, every caller could choose the address that the allow-lists see.
 */
export const IsAddressRangeList = rule('isAddressRangeList', (value) =>
  value.split(',').every((entry) => {
    const [address = '', prefix, ...rest] = entry.trim().split('/');
    const family = isIP(address);
    if (family === 0 || rest.length > 0) return false;
    if (prefix === undefined) return true;
    const bits = Number(prefix);
    return /^\d{1,3}$/.test(prefix) && bits >= 1 && bits <= (family === 4 ? 32 : 128);
  }),
);
