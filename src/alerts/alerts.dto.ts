import { IsIn, IsOptional } from 'class-validator';
import { IsFutureTime, IsIdOf } from '../http/validation/rules.js';

const alertStates = ['open', 'resolved', 'all'] as const;

/** Which alerts to list; newest first, at most 100. */
export class AlertListDto {
  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  /** `open` (default), `resolved` or `all`. */
  @IsIn(alertStates, { message: `must be one of ${alertStates.join(', ')}` })
  state: (typeof alertStates)[number] = 'open';
}

/** A change of an open alert, at least one field; absent fields stay as they are. */
export class AlertChangeDto {
  /** Who takes care of it: an active user who may see the account; null: nobody. */
  @IsOptional()
  @IsIdOf('a user')
  owner_id?: string | null;

  /** Until when it needs no attention, in ISO 8601, in the future and at most 30 days ahead; null: it does need attention. */
  @IsOptional()
  @IsFutureTime()
  muted_until?: string | null;
}

/** The user who takes care of an alert. */
export class AlertOwnerDto {
  id: string;
  email: string;
}

/** Something that needs attention. */
export class AlertDto {
  id: string;
  account_id: string;
  /** What it is about, such as `number_paused`. */
  kind: string;
  subject: string;
  message: string;
  details: object;
  created_at: Date;
  /** Null while it is open. */
  resolved_at: Date | null;
  /** Who takes care of it; null: nobody. */
  owner: AlertOwnerDto | null;
  /** Until then it needs no attention, and endpoints are not told if it is raised again; null when it is not muted. */
  muted_until: Date | null;
}

/** Alerts. */
export class AlertsDto {
  alerts: AlertDto[];
}

/** One alert. */
export class AlertAnswerDto {
  alert: AlertDto;
}
