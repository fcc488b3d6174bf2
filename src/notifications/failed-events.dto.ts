import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { IsMode, type Mode } from '../access/mode.js';
import { IsIdOf } from '../http/validation/rules.js';

const states = ['waiting', 'set_aside', 'foreign', 'done'] as const;

/** Which events of the platform to list; newest first, at most 100. */
export class NotificationListDto {
  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  /** Events that may touch rows of this mode. */ @IsOptional()
  @IsMode()
  mode?: Mode;

  /** `set_aside` (default), `waiting`, `foreign` or `done`. */
  @IsIn(states, { message: `must be one of ${states.join(', ')}` })
  state: (typeof states)[number] = 'set_aside';

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsUUID('7', { message: 'must be the next_cursor of an earlier answer' })
  cursor?: string;
}

/** An event of the platform that could not be processed at once. */
export class PlatformNotificationDto {
  id: string;
  /** The id of the request that contained it. */
  notification_id: string;
  /** Null where the request could not be read. */
  account_id: string | null;
  /** Whose rows it may touch; null: both, where the simulator is the platform. */
  mode: Mode | null;
  /** `message`, `status`, `template_status` …; `notification` for a request that could not be read. */
  kind: string;
  state: (typeof states)[number];
  /** Why it was set aside. */
  error: string | null;
  attempts: number;
  received_at: Date;
  next_attempt_at: Date | null;
}

/** A page of events. */
export class PlatformNotificationsDto {
  notifications: PlatformNotificationDto[];
  next_cursor: string | null;
}

/** One event with its request. */
export class PlatformNotificationDetailDto {
  notification: PlatformNotificationDto;
  /** The request's body; null once it is deleted, and for administrators, since it may concern other accounts. */
  body: string | null;
}

/** One event. */
export class PlatformNotificationAnswerDto {
  notification: PlatformNotificationDto;
}
