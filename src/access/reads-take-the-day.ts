import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, mergeMap, type Observable } from 'rxjs';
import { toAppError } from '../http/app-error.filter.js';
import type { Request } from '../http/request.js';

/** Lets a read take its unit of the day once its answer is known, and none when the answer is a refusal. */
@Injectable()
export class ReadsTakeTheDay implements NestInterceptor {
  /** @throws AppError DAILY_LIMIT_EXCEEDED */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        await request.dayUnit?.takeDayUnit();
        return answer;
      }),
      catchError(async (error: unknown) => {
        if (!isRefusal(error)) await request.dayUnit?.takeDayUnit();
        throw error;
      }),
    );
  }
}

/** Whether the read was refused or failed; "no such message" counts as an answer. */
function isRefusal(error: unknown): boolean {
  const { code, status } = toAppError(error);
  return (status < 500 && code !== 'MESSAGE_NOT_FOUND') || code === 'SERVICE_UNAVAILABLE';
}
