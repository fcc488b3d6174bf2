import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress, literalAddress } from '../../endpoints/public-address.js';

/** A webhook may not be sent there: loopback, private, link-local, reserved … */
export class BlockedAddressError extends Error {
  readonly code = 'ERR_BLOCKED_ADDRESS';

  constructor() {
    super('the address is private, loopback, link-local or reserved');
  }
}

/** Options of the guard. */
export interface GuardOptions {
  /** Lets private addresses through, for receivers in one's own network. */
  readonly allowPrivate: boolean;
  /** Milliseconds that connecting may take. */
  readonly timeoutMs: number;
  /** How names are looked up; by default as the system does it. */
  readonly lookup?: LookupAll;
}

type LookupAll = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/**
 * Connects to public addresses only. The check is made when connecting, never before: a name
 * may resolve differently a moment later. A literal address is checked here because no look-up is made
 * for it; a name is refused when any of its addresses is bad; the socket's own address is checked last.
 */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const { allowPrivate, timeoutMs } = options;
  if (allowPrivate) return buildConnector({ timeout: timeoutMs });
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: guardedLookup(options.lookup ?? dns.lookup),
  });
  return (target, callback) => {
    const literal = literalAddress(target.hostname);
    if (literal !== null && !isPublicAddress(literal)) {
      callback(new BlockedAddressError(), null);
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error) {
        callback(error, null);
      } else if (isPublicAddress(socket.remoteAddress ?? '')) {
        callback(null, socket);
      } else {
        socket.destroy();
        callback(new BlockedAddressError(), null);
      }
    });
  };
}

function guardedLookup(lookup: LookupAll): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) callback(error, '', 0);
      else if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
        callback(new BlockedAddressError(), '', 0);
      } else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
