import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { IsMode, type Mode } from '../access/mode.js';
import { webhookEvents } from '../events/event-types.js';
import { whatsappEventForm } from '../events/whatsapp-fields.js';
import {
  IsFlagInQuery,
  IsRecipientOrTimeInQuery,
  IsTimeInQuery,
  PageDto,
} from '../http/validation/page.dto.js';
import { IsIdOf, IsPhoneNumber, IsText, timeForm, timeOf } from '../http/validation/rules.js';

const statuses = ['pending', 'retrying', 'succeeded', 'failed'] as const;

/** What lists are narrowed to; `waiting` is what has neither succeeded nor failed yet. */
const listedStatuses = [...statuses, 'waiting'] as const;

/** What is in a list as the event of a delivery. */
const isListedEvent = (value: unknown) =>
  typeof value === 'string' &&
  (webhookEvents.some((event) => event === value) || whatsappEventForm.test(value));

/** Which deliveries to list; newest first. */
export class DeliveryListDto extends PageDto {
  /** ISO 8601; only events from this time or later. */
  @IsOptional()
  @IsTimeInQuery()
  from?: Date;

  /** A time in ISO 8601: only events from before. Or a number in E.164 form: only events about this user. */
  @IsOptional()
  @IsRecipientOrTimeInQuery()
  @ApiProperty({ type: String })
  to?: string | Date;

  /**
   * A text as people type it: the id of a delivery, an event or a message, a user's number in any notation or by its last
   * four digits, a contact's name, a user id, the beginning of a message's reference.
   */
  @IsOptional()
  @IsText(255)
  q?: string;

  /** The number of an end user in E.164 form: events about messages from them and to them, and about them. */
  @IsOptional()
  @IsPhoneNumber()
  phone?: string;

  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  @IsOptional()
  @IsIdOf('an API key')
  key_id?: string;

  @IsOptional()
  @IsIdOf('an endpoint')
  endpoint_id?: string;

  /** The events about one message and the answers to it. */
  @IsOptional()
  @IsIdOf('a message')
  message_id?: string;

  /** The type of the event, or `whatsapp.` and the field: what endpoints of the format `whatsapp` got. */
  @IsOptional()
  @ValidateBy({
    name: 'isListedEvent',
    validator: {
      validate: isListedEvent,
      defaultMessage: () =>
        `must be one of ${webhookEvents.join(', ')}, or whatsapp. and the name of a field`,
    },
  })
  event?: string;

  /** `waiting`: both `pending` and `retrying`. */
  @IsOptional()
  @IsIn(listedStatuses, { message: `must be one of ${listedStatuses.join(', ')}` })
  status?: (typeof listedStatuses)[number];

  /** Deliveries to endpoints of keys of this mode. */
  @IsOptional()
  @IsMode()
  mode?: Mode;

  /**
   * `true`: `meta.total` says how many match, up to 10,000, and `meta.total_is_exact` whether these are all. Where a list
   * is searched, only the newest 10,000 deliveries are counted.
   */
  @IsOptional()
  @IsFlagInQuery()
  count?: 'true' | 'false';
}

/** Which missed events to deliver again. */
export class RecoveryDto {
  /** ISO 8601, with its offset. */
  @ValidateBy({
    name: 'isTime',
    constraints: [timeForm],
    validator: {
      validate: (value: unknown) => timeOf(value) !== null,
      defaultMessage: (args) =>
        args?.value === undefined || args.value === null
          ? 'is required'
          : 'must be an ISO 8601 time',
    },
  })
  since: string;
}

/** One attempt at an endpoint. */
export class DeliveryAttemptDto {
  /** From 1. */
  number: number;
  at: Date;
  duration_ms: number;
  /** The address that it called. */
  url: string;
  /** Null when there was no answer. */
  status_code: number | null;
  /** The first 1 KiB of the answer. */
  response: string | null;
  /** `http_500`, `timeout`, `dns`, `connect`, `tls`, `reset`, `blocked_address`; null on success. */
  error: string | null;
}

/** One event on its way to one endpoint. */
export class DeliveryDto {
  id: string;
  /** What the receiver sees as `webhook-id`. */
  webhook_id: string;
  account_id: string;
  api_key_id: string;
  /** Null when the key is deleted. */
  api_key_name: string | null;
  endpoint_id: string;
  /** `default`: what `webhook_url` of the key sets. Null when the endpoint is deleted with its key. */
  endpoint_name: string | null;
  /** Where the next attempt goes: the address of the endpoint as it is now, or null. */
  url: string | null;
  mode: 'live' | 'test';
  /** Its type; `whatsapp.` and the field for an endpoint of the format `whatsapp`. */
  event: string;
  /** The message you sent that it is about: its status changed, or it was answered. */
  message_id: string | null;
  /** The end user that it is about: their number, or their user id where no number is known; null if nobody. */
  user: string | null;
  /** A short summary: the status, or what the user wrote; null if there is none. */
  summary: string | null;
  status: (typeof statuses)[number];
  attempts: DeliveryAttemptDto[];
  /** Null when no further attempt is planned. */
  next_attempt_at: Date | null;
  /**
   * Why the last attempt failed, or why none is made: `endpoint_off`, `key_revoked`, `no_endpoint`,
   * `permission_missing`.
   */
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
}

/** A page of deliveries. */
export class DeliveriesDto {
  deliveries: DeliveryDto[];
  next_cursor: string | null;
}

/** One delivery, with the body that every attempt sends. */
export class DeliveryAnswerDto {
  delivery: DeliveryDto;
  body: string;
}

/** The health of a key's webhook: its deliveries of the last 24 hours, at most the newest 10,000. */
export class WebhookReportDto {
  succeeded: number;
  /** How many of all these took more than one attempt. */
  retried: number;
  failed: number;
  /** Those that have neither succeeded nor failed yet. */
  waiting: number;
  /** The median time to a 2xx answer; null if there was none. */
  median_ms: number | null;
  last_success_at: Date | null;
}

/** An attempt that an endpoint did not accept. */
export class EndpointFailureDto {
  at: Date;
  /** As in an attempt of a delivery: `http_500`, `timeout` and so on. */
  error: string | null;
  /** What it answered; null if it did not answer. */
  status_code: number | null;
}

/** The deliveries of an endpoint in the last 24 hours, at most the newest 10,000. */
export class EndpointHealthDto {
  succeeded: number;
  failed: number;
  /** Those that have neither succeeded nor failed yet, older ones included; at most 10,000. */
  waiting: number;
  /** When the oldest event that is due was created; null if none is due. */
  oldest_waiting_at: Date | null;
  last_success_at: Date | null;
  /** The newest failed attempt; null if none failed. */
  last_failure: EndpointFailureDto | null;
}

/** The result of a recovery. */
export class RecoveredDto {
  /** How many events are delivered again. */
  recovered: number;
}
