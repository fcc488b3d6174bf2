import type { MessageFailure } from '../../messages/message.js';
import { GraphError } from '../graph-errors.js';

/** The message was not sent and will not be: the caller may repeat the request. */
export const notSent = (id: string) => waiting(`not sent ${id}`);

/** Parley will send the message once: the caller may repeat the request with the same idempotency key. */
export const queued = (id: string) => waiting(`queued ${id}`);

function waiting(what: string): GraphError {
  return new GraphError(
    'SERVICE_UNAVAILABLE',
    {
      status: 503,
      code: 131016,
      message: '(#131016) Service unavailable',
      details: `SERVICE_UNAVAILABLE: ${what}`,
      isTransient: true,
    },
    { retryAfterSeconds: 2 },
  );
}

/** WhatsApp may have it. A repetition could send it twice. */
export function unconfirmed(id: string): GraphError {
  return new GraphError('MESSAGE_SEND_FAILED', {
    status: 409,
    code: 131000,
    message: '(#131000) Something went wrong',
    details: `MESSAGE_SEND_FAILED: unconfirmed ${id}`,
    isTransient: false,
  });
}

/** Why a message was not sent. What WhatsApp has refused is said in its own words. */
export function failed(id: string, failure: MessageFailure | null): GraphError {
  if (failure?.refusal && failure.platformCode !== null) {
    const { status, isTransient, ...said } = failure.refusal;
    return new GraphError('MESSAGE_SEND_FAILED', {
      ...said,
      status: status >= 400 ? status : 400,
      code: failure.platformCode,
      message: failure.platformMessage ?? failure.message,
      // It was tried until its caller was answered: only the caller can try it again.
      isTransient: failure.retryable ? true : isTransient,
    });
  }
  if (failure?.reason === 'opted_out') {
    return new GraphError(
      'RECIPIENT_OPTED_OUT',
      { status: 400, code: 131050 },
      { message: failure.message },
    );
  }
  return failure?.retryable
    ? notSent(id)
    : new GraphError(
        'MESSAGE_SEND_FAILED',
        { status: 500, code: 131000, isTransient: false },
        { message: failure?.message },
      );
}
