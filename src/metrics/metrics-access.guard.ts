import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';
import { isFromThisMachine, PRIVATE_PORT } from '../http/private-port.js';
import type { Request } from '../http/request.js';

/**
 * Guards the metrics. On the API's port only this machine may read them; everybody else gets the same
 * answer as for an unknown address.
 */
@Injectable()
export class MetricsAccessGuard implements CanActivate {
  constructor(@Inject(PRIVATE_PORT) private readonly isPrivate: boolean) {}

  /** @throws AppError NOT_FOUND */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.isPrivate || isFromThisMachine(request)) return true;
    throw new AppError('NOT_FOUND');
  }
}
