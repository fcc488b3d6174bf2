import { IsOptional } from 'class-validator';
import { validationError } from '../../errors/app-error.js';
import {
  IsText,
  IsTime,
  IsWholeNumber,
  isGiven,
  NotTogetherWith,
} from '../../http/validation/rules.js';
import type { Expiry } from '../message.js';
import { RecipientDto } from './recipient.dto.js';

const expiresMinSeconds = 30;
const expiresMaxSeconds = 86_400;

/** The fields of every message: the recipient, your reference, and until when it may be sent. */
export class SendDto extends RecipientDto {
  /** Your own reference; it comes back with every event of the message. At most 100 characters. */
  @IsOptional()
  @IsText(100)
  reference?: string | null;

  /**
   * When it is too late to send the message: a time in ISO 8601 with its offset, 30 seconds to 24 hours ahead. If no try
   * has begun by then, the message fails with the reason `expired`. Default: 15 minutes after its acceptance.
   */
  @IsOptional()
  @IsTime()
  expires_at?: string | null;

  /** The same as `expires_at`, in seconds from the acceptance on: 30 to 86,400. */
  @IsOptional()
  @IsWholeNumber(expiresMinSeconds, expiresMaxSeconds)
  @NotTogetherWith('expires_at')
  expires_in_seconds?: number | null;
}

/**
 * Until when a message may be tried; null where the caller does not say.
 * @throws AppError VALIDATION_ERROR for a moment that is too near or too far.
 */
export function expiryOf({
  expires_at: at,
  expires_in_seconds: inSeconds,
}: Pick<SendDto, 'expires_at' | 'expires_in_seconds'>): Expiry | null {
  if (isGiven(inSeconds)) return { inSeconds };
  if (!isGiven(at)) return null;
  const ahead = (Date.parse(at) - Date.now()) / 1_000;
  if (ahead < expiresMinSeconds || ahead > expiresMaxSeconds) {
    throw validationError({ expires_at: 'must be 30 seconds to 24 hours ahead' });
  }
  return { at };
}
