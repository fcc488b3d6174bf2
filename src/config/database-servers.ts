/** What libpq calls a server that takes writes. We can use no other. */
const writable = ['read-write', 'primary'];

interface Servers {
  /** A URL for each server, without `target_session_attrs`. */
  readonly urls: readonly [string, ...string[]];
  /** Whether one has to look which of them takes writes. */
  readonly isChoice: boolean;
}

/**
 * The servers that a `DATABASE_URL` names, as libpq reads it: `host1,host2:5433`, each with its own port, and
 * `target_session_attrs`. With several hosts the one that takes writes is meant, whether it is said or not.
 * @returns null where it is no such URL, or asks for a server that takes no writes.
 */
export function serversOf(url: string): Servers | null {
  const scheme = /^postgres(?:ql)?:\/\//.exec(url)?.[0];
  if (scheme === undefined) return null;
  const [authority = ''] = url.slice(scheme.length).split(/[/?#]/);
  const start = scheme + authority.slice(0, authority.lastIndexOf('@') + 1);
  const hosts = (scheme + authority).slice(start.length).split(',');
  const [path = '', query] = url.slice(scheme.length + authority.length).split('?');
  const settings = new URLSearchParams(query);
  const wanted = settings.get('target_session_attrs');
  if (wanted !== null && !writable.includes(wanted)) return null;
  settings.delete('target_session_attrs');
  // Other settings stay as they are written.
  const kept = wanted === null ? query : settings.toString();
  const end = kept ? `${path}?${kept}` : path;
  const [first = '', ...others] = hosts.map((host) => `${start}${host}${end}`);
  const urls = [first, ...others] as const;
  if (!urls.every((one) => URL.canParse(one))) return null;
  if (urls.length > 1 && hosts.includes('')) return null;
  return { urls, isChoice: urls.length > 1 || wanted !== null };
}
