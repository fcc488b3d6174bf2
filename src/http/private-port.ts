import { BlockList, isIPv6 } from 'node:net';
import { isLocalHost } from '#libs/local-hosts';
import type { Request } from './request.js';

/**
 * The token for whether a port is for operators alone. Everybody who reaches such a port may read what the process
 * tells of itself; on the API's `PORT`, which faces the world, only this machine may.
 */
export const PRIVATE_PORT = Symbol('private-port');

/** Headers that proxies add: a request with one of these came from another machine, even on a local connection. */
const forwardingHeaders = /^(forwarded|via|x-real-ip|x-forwarded(-.+)?|x-envoy-external-address)$/;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const isLoopback = (address: string) => loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Whether a program on this machine asks: not a proxy for somebody else, and no web page under a name of its own. */
export function isFromThisMachine({ raw, headers }: Request): boolean {
  const isForwarded = Object.keys(headers).some((name) => forwardingHeaders.test(name));
  return !isForwarded && isLoopback(raw.socket.remoteAddress ?? '') && isLocalHost(headers.host);
}
