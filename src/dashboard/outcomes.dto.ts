import { IsIn, IsOptional } from 'class-validator';
import { hourMs } from '#libs/durations';
import { AccountModeQueryDto } from '../api-keys/api-keys.dto.js';

/** How far each range goes back, in milliseconds. */
export const outcomeRanges = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
} as const;

type OutcomeRange = keyof typeof outcomeRanges;

const rangeNames = Object.keys(outcomeRanges) as OutcomeRange[];

/** Of which time, and of which mode. */
export class OutcomesQueryDto extends AccountModeQueryDto {
  @IsOptional()
  @IsIn(rangeNames, { message: `must be one of ${rangeNames.join(', ')}` })
  range: OutcomeRange = '24h';
}

/** What became of the messages that were accepted in a time, live and test or of the asked mode, and what users wrote in it. */
export class OutcomesDto {
  /** The time begins here: at a whole minute, or a whole hour for 7 days and more. It ends now. */
  from: Date;
  /** Messages that WhatsApp has taken, whatever became of them afterwards. */
  sent: number;
  /** Of these, those that reached the phone; read ones included. */
  delivered: number;
  /** Of these, those of which the user's phone says so. */
  read: number;
  /** Messages that failed, whether WhatsApp had taken them or not. */
  failed: number;
  /** Messages that were sent or have failed: what `failed` is a part of. */
  concluded: number;
  /** Messages from users. Those of which no mode is known count in both. */
  replies: number;
  /** Half of the messages that were delivered took at most this long, to two digits; null when none was. */
  median_delivery_ms: number | null;
  /** False while hours of this time are still to be counted, or counted by mode where one is asked for: the figures are too low then. */
  complete: boolean;
}
