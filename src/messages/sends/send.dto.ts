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

const sendAtMinSeconds = 60;
const sendAtMaxDays = 35;
const daySeconds = 86_400;

/** The fields of every message: the recipient, your reference, and when it may be sent. */
export class SendDto extends RecipientDto {
  /** Your own reference; it comes back with every event of the message. At most 100 characters. */
  @IsOptional()
  @IsText(100)
  reference?: string | null;

  /**
   * When to send the message: a time in ISO 8601 with its offset, 60 seconds to 35 days ahead, and at most half of
   * RETENTION_DAYS. The answer is 202 with the status `scheduled`; your key, the template, the recipient's consent and
   * the window are checked again when it is sent. Default: at once.
   */
  @IsOptional()
  @IsTime()
  send_at?: string | null;

  /**
   * When it is too late to send the message: a time in ISO 8601 with its offset, 30 seconds to 24 hours ahead, or after
   * `send_at` if you give it. If no try has begun by then, the message fails with the reason `expired`. Default: 15
   * minutes after its acceptance, an hour after `send_at`.
   */
  @IsOptional()
  @IsTime()
  expires_at?: string | null;

  /** The same as `expires_at`, in seconds from the acceptance on, or from `send_at`: 30 to 86,400. */
  @IsOptional()
  @IsWholeNumber(expiresMinSeconds, expiresMaxSeconds)
  @NotTogetherWith('expires_at')
  expires_in_seconds?: number | null;
}

/** The fields that say when a message is sent. */
export type SendTimes = Pick<SendDto, 'send_at' | 'expires_at' | 'expires_in_seconds'>;

const isWithin = (value: number, min: number, max: number) => value >= min && value <= max;

/** When to send a message; null: at once. @throws AppError as `momentToSend` */
export function sendAtOf(
  { send_at: at }: Pick<SendTimes, 'send_at'>,
  retentionDays: number,
): string | null {
  return isGiven(at) ? momentToSend(at, retentionDays) : null;
}

/**
 * When to send a message, checked.
 * @param at ISO 8601 with any offset.
 * @param acceptedAt when the message was accepted, if it was: its row is kept from then on, and must still be there for a
 * while after it was sent.
 * @returns ISO 8601 in UTC.
 * @throws AppError VALIDATION_ERROR for a moment that is too near or too far.
 */
export function momentToSend(at: string, retentionDays: number, acceptedAt = new Date()): string {
  const seconds = (from: number) => (Date.parse(at) - from) / 1_000;
  if (!isWithin(seconds(Date.now()), sendAtMinSeconds, sendAtMaxDays * daySeconds)) {
    throw validationError({ send_at: 'must be 60 seconds to 35 days ahead' });
  }
  if (seconds(acceptedAt.getTime()) > (retentionDays / 2) * daySeconds) {
    throw validationError({
      send_at: `must be at most ${retentionDays / 2} days after the request, half of RETENTION_DAYS`,
    });
  }
  return inUtc(at);
}

/** The same moment for PostgreSQL, which knows no offset of more than 16 hours. */
const inUtc = (moment: string) => new Date(moment).toISOString();

/** Another time for a scheduled message. */
export class MessageChangeDto {
  /** When to send it: a time in ISO 8601 with its offset, 60 seconds to 35 days ahead. */
  @IsTime()
  send_at: string;
}

/**
 * Until when a message may be tried; null where the caller does not say.
 * @throws AppError VALIDATION_ERROR for a moment that is too near or too far.
 */
export function expiryOf({
  send_at: sendAt,
  expires_at: at,
  expires_in_seconds: inSeconds,
}: SendTimes): Expiry | null {
  if (isGiven(inSeconds)) return { inSeconds };
  if (!isGiven(at)) return null;
  const from = isGiven(sendAt) ? Date.parse(sendAt) : Date.now();
  if (!isWithin((Date.parse(at) - from) / 1_000, expiresMinSeconds, expiresMaxSeconds)) {
    throw validationError({
      expires_at: isGiven(sendAt)
        ? 'must be 30 seconds to 24 hours after send_at'
        : 'must be 30 seconds to 24 hours ahead',
    });
  }
  return { at: inUtc(at) };
}
