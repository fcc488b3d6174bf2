import { BlockList, isIPv6 } from 'node:net';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { isLocalHost } from '#libs/local-hosts';
import { AppError } from '../errors/app-error.js';
import type { Request } from '../http/request.js';

/** The token for whether the metrics answer other machines, too. */
export const METRICS_REMOTE = Symbol('metrics-remote');

/** Headers that proxies add: a request with one of these came from another machine, even on a local connection. */
const forwardingHeaders = /^(forwarded|via|x-real-ip|x-forwarded(-.+)?|x-envoy-external-address)$/;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const isLoopback = (address: string) => loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Guards the metrics. On the API's port only this machine may read them; everybody else gets the same
 * answer as for an unknown address.
 */
@Injectable()
export class MetricsAccessGuard implements CanActivate {
  constructor(@Inject(METRICS_REMOTE) private readonly isRemote: boolean) {}

  /** @throws AppError NOT_FOUND */
  canActivate(context: ExecutionContext): boolean {
    const { raw, headers } = context.switchToHttp().getRequest<Request>();
    if (this.isRemote) return true;
    const isForwarded = Object.keys(headers).some((name) => forwardingHeaders.test(name));
    const isOurs = isLoopback(raw.socket.remoteAddress ?? '') && isLocalHost(headers.host);
    if (isForwarded || !isOurs) throw new AppError('NOT_FOUND');
    return true;
  }
}
