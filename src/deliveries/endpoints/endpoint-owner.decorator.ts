import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { callerOf } from '../../access/caller.js';
import { AppError } from '../../errors/app-error.js';
import type { Request } from '../../http/request.js';
import type { EndpointOwner } from './endpoint-settings.service.js';

/** Gives a controller whose endpoints the request is about: the calling key's, or those of the key that the path names. */
export const EndpointsOwner = createParamDecorator(
  (_: unknown, context: ExecutionContext): EndpointOwner => {
    const request = context.switchToHttp().getRequest<Request>();
    const { principal, user, ip: address } = request;
    if (principal) return { ...principal, address };
    if (!user) throw new AppError('UNAUTHENTICATED');
    const { id: apiKeyId } = request.params as { id: string };
    return { ...callerOf(user), apiKeyId, address };
  },
);
