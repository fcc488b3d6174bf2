import type { PlatformRequestError } from '#libs/whatsapp';
import { type AppError, unavailable } from '../errors/app-error.js';

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
