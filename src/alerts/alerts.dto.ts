import { IsIn, IsOptional, IsUUID } from 'class-validator';

const alertStates = ['open', 'resolved', 'all'] as const;

/** Which alerts to list; newest first, at most 100. */
export class AlertListDto {
  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsUUID(undefined, { message: 'must be the id of an account' })
  account_id?: string;

  /** `open` (default), `resolved` or `all`. */
  @IsIn(alertStates, { message: `must be one of ${alertStates.join(', ')}` })
  state: (typeof alertStates)[number] = 'open';
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
}

/** Alerts. */
export class AlertsDto {
  alerts: AlertDto[];
}

/** One alert. */
export class AlertAnswerDto {
  alert: AlertDto;
}
