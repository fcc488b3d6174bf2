import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';
import type { Request } from '../http/request.js';
import type { SignedInUser } from './signed-in-user.js';

/** Gives a controller the user that the guard has let in. */
export const SignedIn = createParamDecorator(
  (_: unknown, context: ExecutionContext): SignedInUser => {
    const { user } = context.switchToHttp().getRequest<Request>();
    if (!user) throw new AppError('UNAUTHENTICATED');
    return user;
  },
);
