import { isIP } from 'node:net';

/** Names that no public DNS server answers for (RFC 2606, 6761, 6762; `.internal` by ICANN), and those of Kubernetes. */
const localName = /^(?:[^.]+|.+\.(?:localhost|local|internal|test|svc))$/;

/**
 * Whether a `Host` header names a machine that no web page can stand for: an address, or a name without a
 * public domain. A page may have its own domain point to 127.0.0.1 (DNS rebinding); its requests name that domain.
 */
export function isLocalHost(header: string | undefined): boolean {
  if (header === undefined) return false;
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(header)?.[1];
  const name = bracketed ?? header.replace(/:\d+$/, '');
  return isIP(name) !== 0 || localName.test(name.toLowerCase());
}
