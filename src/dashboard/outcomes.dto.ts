import { IsIn, IsOptional } from 'class-validator';
import { hourMs, minuteMs } from '#libs/durations';
import { AccountModeQueryDto } from '../api-keys/api-keys.dto.js';

/** How far each range goes back: in so many steps of so many milliseconds. */
export const outcomeRanges = {
  '1h': { steps: 12, stepMs: 5 * minuteMs },
  '24h': { steps: 24, stepMs: hourMs },
  '7d': { steps: 28, stepMs: 6 * hourMs },
  '30d': { steps: 30, stepMs: 24 * hourMs },
} as const;

type OutcomeRange = keyof typeof outcomeRanges;

const rangeNames = Object.keys(outcomeRanges) as OutcomeRange[];

/** Of which time, and of which mode. */
export class OutcomesQueryDto extends AccountModeQueryDto {
  @IsOptional()
  @IsIn(rangeNames, { message: `must be one of ${rangeNames.join(', ')}` })
  range: OutcomeRange = '24h';
}

/** What became of the messages that were accepted in a time, and what users wrote in it. */
export class OutcomeCountsDto {
  /** The time begins here: at a whole minute, or a whole hour for 7 days and more. */
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
}

/** The outcomes of a time, with its parts. */
export class OutcomesOfTimeDto extends OutcomeCountsDto {
  /** Half of the messages that were delivered took at most this long, to two digits; null when none was. */
  median_delivery_ms: number | null;
  /** Parts of the time: 5 minutes each of an hour, an hour each of 24, 6 hours each of 7 days, 24 hours each of 30. */
  steps: OutcomeCountsDto[];
}

/** The outcomes of a time that ends now, live and test or of the asked mode. */
export class OutcomesDto extends OutcomesOfTimeDto {
  /** False while hours of this time are still to be counted, or counted by mode where one is asked for: the figures are too low then. */
  complete: boolean;
  /**
   * The same of as long a time before it, in whole hours where that was more than a day ago. Null while its hours are
   * still to be counted.
   */
  before: OutcomesOfTimeDto | null;
}
