import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { PageDto } from '../http/validation/page.dto.js';
import { IsFlag, IsIdOf, IsListOfErrorCodes } from '../http/validation/rules.js';

export const jobKinds = ['redeliver', 'resend', 'cancel'] as const;

export type JobKind = (typeof jobKinds)[number];

export type JobState = 'running' | 'stopped' | 'done';

/** The most that one job is about. */
export const itemsMax = 100_000;

/** Something to do to everything that matches a filter. */
export class NewJobDto {
  /** `redeliver`: deliver events once more. `resend`: send failed messages again. `cancel`: cancel messages that wait. */
  @IsIn(jobKinds, { message: `must be one of ${jobKinds.join(', ')}` })
  kind: JobKind;

  /**
   * For `redeliver` the parameters of `GET /webhook-deliveries`, for the others those of `GET /messages`. What matches now
   * is the set, at most 100,000. `resend` takes `status: "failed"` alone.
   */
  @ValidateBy({
    name: 'isFilter',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length > 0,
      defaultMessage: () => 'must be an object with at least one filter of the list',
    },
  })
  @ApiProperty({ type: 'object', additionalProperties: true, minProperties: 1 })
  filter: Record<string, unknown>;

  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string | null;

  /** For `resend`: what failed with one of these codes of WhatsApp is left out. */
  @IsOptional()
  @IsListOfErrorCodes()
  without_codes?: number[] | null;

  /** For `redeliver`: `true` leaves out what was delivered. */
  @IsOptional()
  @IsFlag()
  without_succeeded?: boolean | null;
}

/** Which jobs to list; newest first. */
export class JobListDto extends PageDto {
  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;
}

/** What is done to everything that matched a filter, and how far it is. */
export class JobDto {
  id: string;
  /** Null: of all accounts. */
  account_id: string | null;
  kind: JobKind;
  @ApiProperty({ type: 'object', additionalProperties: true })
  filter: Record<string, unknown>;
  state: JobState;
  total: number;
  /** What is as it should be, also where somebody else was first. */
  done: number;
  /** What could not be done. */
  failed: number;
  /** The same by the code of the error. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  failures_by_code: Record<string, number>;
  /** The address of the user who has made it. */
  created_by: string;
  created_at: Date;
  /** When it was done or stopped; null while it runs. */
  ended_at: Date | null;
}

export class JobAnswerDto {
  job: JobDto;
}

/** What a job would be about. */
export class JobPreviewDto {
  /** At most 10,000. */
  total: number;
  /** False: there are more. */
  total_is_exact: boolean;
  /** For `redeliver`: the addresses of the endpoints of these events, in their order by text. */
  endpoints: string[];
  /** For `redeliver`: how many of those that match were delivered, those of `without_succeeded` included. */
  succeeded: number;
  /** For `resend`: how many match and are left out, by why: `campaign`, `resent` or `fallback`. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  left_out: Record<string, number>;
  /** For `resend`: how many of the others failed with each code of WhatsApp, those of `without_codes` included. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  failed_by_code: Record<string, number>;
}

/** What became of the events that a job has delivered again, as their deliveries are now. */
export class JobDeliveriesDto {
  succeeded: number;
  failed: number;
  /** Failed at least once since, and will be tried again. */
  retrying: number;
  /** Not tried again yet. */
  pending: number;
}

/** What became of the new messages that a job has sent, as they are now. */
export class JobMessagesDto {
  /** Sent, delivered or read. */
  sent: number;
  failed: number;
  unconfirmed: number;
  /** Queued, scheduled or being sent. */
  waiting: number;
}

/** One job, and what came of it. */
export class JobResultDto extends JobAnswerDto {
  /** Null for other kinds than `redeliver`. Deliveries that are no longer kept are not counted. */
  deliveries: JobDeliveriesDto | null;
  /** Null for other kinds than `resend`, and for jobs of more than 10,000 messages. */
  messages: JobMessagesDto | null;
}

export class JobsDto {
  jobs: JobDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}
