import { classify, errorTextOf, type PlatformRequestError } from '#libs/whatsapp';
import { AppError, unavailable } from '../errors/app-error.js';

/** Seconds, if the platform names none: most refusals last until an operator acts. */
const retryRefusedAfter = 60;

/**
 * SERVICE_UNAVAILABLE for a request that the platform has refused or not answered.
 * @param refused what to say where it has refused.
 */
export function platformUnavailable(error: PlatformRequestError, refused: string): AppError {
  const { error: refusal, retryAfterSeconds } = error;
  if (!refusal) {
    return unavailable('platform_unavailable', 'WhatsApp cannot be reached; try again later.', {
      cause: error,
    });
  }
  return unavailable('platform_refused', refused, {
    details: { whatsapp_error_code: refusal.code, whatsapp_error_message: refusal.message },
    retryAfterSeconds: retryAfterSeconds ?? retryRefusedAfter,
    cause: error,
  });
}

/**
 * PLATFORM_REFUSED for a request that the platform refuses until something is changed, else SERVICE_UNAVAILABLE.
 * @param refused what to say where it has refused.
 */
export function platformRefusal(error: PlatformRequestError, refused: string): AppError {
  const { error: refusal, httpStatus } = error;
  if (!refusal) return platformUnavailable(error, refused);
  const { handling } = classify(refusal, httpStatus ?? 400);
  if (handling === 'retry' || handling === 'throttle') return platformUnavailable(error, refused);
  const text = errorTextOf(refusal.code, refusal.subcode);
  const reason = text ? `${text.meaning} (${refusal.code}). ${text.advice}` : refusal.message;
  return new AppError('PLATFORM_REFUSED', {
    message: `${refused} ${reason}`,
    details: {
      whatsapp_error_code: refusal.code,
      whatsapp_error_message: refusal.details ?? refusal.message,
    },
    cause: error,
  });
}
