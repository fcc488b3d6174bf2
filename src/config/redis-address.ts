/** Where Sentinel says which Redis is the master, in the words of ioredis. */
export interface SentinelAddress {
  readonly sentinels: { readonly host: string; readonly port: number }[];
  /** What the sentinels call the master. */
  readonly name: string;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly sentinelPassword?: string;
  /** TLS, to Redis and to the sentinels. */
  readonly isEncrypted: boolean;
}

const sentinelForm = /^redis(s?)\+sentinel:\/\/([^@/]*@)?([^@/]+)(\/.*)$/;

/**
 * Reads `redis+sentinel://[user:password@]host1[:26379],host2[:port]/name[/db][?sentinel_password=…]`.
 * @returns null if it is anything else.
 */
export function readSentinelAddress(address: string): SentinelAddress | null {
  const [, encrypted, user = '', hosts = '', rest = ''] = sentinelForm.exec(address) ?? [];
  // A URL has one host: each of these makes a URL of its own.
  const texts = hosts.split(',').map((host) => `redis://${user}${host}${rest}`);
  if (!texts.every((text) => URL.canParse(text))) return null;
  const urls = texts.map((text) => new URL(text));
  const [{ username, password, pathname, searchParams, hash }] = urls as [URL];
  const [, name, db = '0', ...more] = pathname.split('/');
  const known = searchParams.size - searchParams.getAll('sentinel_password').length === 0;
  if (!name || !/^\d+$/.test(db) || more.length > 0 || !known || hash) return null;
  if (urls.some(({ hostname }) => hostname === '')) return null;
  try {
    return {
      sentinels: urls.map(({ hostname, port }) => ({
        host: hostname.replaceAll(/[[\]]/g, ''),
        port: Number(port || 26_379),
      })),
      name: decodeURIComponent(name),
      db: Number(db),
      username: decodeURIComponent(username) || undefined,
      password: decodeURIComponent(password) || undefined,
      sentinelPassword: searchParams.get('sentinel_password') ?? undefined,
      isEncrypted: encrypted === 's',
    };
  } catch {
    // A `%` that encodes nothing.
    return null;
  }
}
