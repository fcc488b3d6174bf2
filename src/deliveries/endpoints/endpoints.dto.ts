import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import type { EndpointScope } from '../../endpoints/endpoint.entity.js';
import { IsWebhookUrl } from '../../endpoints/webhook-url.rule.js';
import {
  receivedTypes,
  toldStatuses,
  type WebhookEvent,
  webhookEvents,
} from '../../events/event-types.js';
import { IsListOfValues, IsText, IsWholeNumber, memberOf } from '../../http/validation/rules.js';
import type { EndpointHealthDto } from '../deliveries.dto.js';

const scopes = ['key', 'account'] as const;

/** The optional settings of an endpoint; `null` stands for the default. */
export class EndpointSettingsDto {
  /** 1 to 100 characters, for people; default: the host of `url`. */
  @IsOptional()
  @IsText(100)
  name?: string | null;

  /**
   * `message.received`, `message.status`, `webhook.test`, which are the default, `message.echo`, `message.standby`,
   * `contact.changed`, `contact.consent`, `campaign.status`, and for the scope `account` `alert.raised` and `alert.resolved`.
   */
  @IsOptional()
  @IsListOfValues(1, webhookEvents.length, memberOf(webhookEvents))
  events?: WebhookEvent[] | null;

  /** Only these statuses of messages; default: all. */
  @IsOptional()
  @IsListOfValues(1, toldStatuses.length, memberOf(toldStatuses))
  statuses?: (typeof toldStatuses)[number][] | null;

  /** Only received messages of these types; default: all, also those that are new. */
  @IsOptional()
  @IsListOfValues(1, receivedTypes.length, memberOf(receivedTypes))
  message_types?: (typeof receivedTypes)[number][] | null;

  /** `key` (default): the events of the key. `account`: those of every key of its account and mode; the key needs `view_messages`. */
  @IsOptional()
  @IsIn(scopes, { message: 'must be key or account' })
  scope?: EndpointScope | null;

  /** How many events it gets at once, at most: 1 to 128; default 64. */
  @IsOptional()
  @IsWholeNumber(1, 128)
  max_in_flight?: number | null;
}

/** A new endpoint. */
export class NewEndpointDto extends EndpointSettingsDto {
  /** http or https, at most 2,048 characters. */
  @IsWebhookUrl()
  url: string;
}

/** A change of an endpoint. Absent fields stay as they are; `null` restores the default. */
export class EndpointChangeDto extends EndpointSettingsDto {
  /** http or https, at most 2,048 characters. */
  @ValidateIf((change: EndpointChangeDto) => change.url !== undefined)
  @IsWebhookUrl()
  url?: string;
}

/** Where events go. */
export class EndpointDto {
  id: string;
  /** `default`: the one that `webhook_url` of the key sets. */
  name: string;
  url: string;
  events: WebhookEvent[];
  /** Null: all. */
  statuses: string[] | null;
  /** Null: all. */
  message_types: string[] | null;
  scope: EndpointScope;
  max_in_flight: number;
  health: EndpointHealthDto;
  /** When Parley switched it off; null while it is in use. */
  disabled_at: Date | null;
  /** `gone`: it answered 410; `failing`: no attempt succeeded for 120 hours. */
  disabled_reason: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The endpoints of a key, the oldest first. */
export class EndpointsDto {
  webhooks: EndpointDto[];
  next_cursor: string | null;
}

/** One endpoint. */
export class EndpointAnswerDto {
  webhook: EndpointDto;
}

/** An endpoint that was just added. */
export class AddedEndpointDto extends EndpointDto {
  /** For verifying the requests to it. It is never shown again. */
  secret: string;
}

/** The answer to adding an endpoint. */
export class AddedEndpointAnswerDto {
  webhook: AddedEndpointDto;
  /** The same as in `webhook`. */
  secret: string;
}

/** An endpoint with its new secret, which is never shown again. */
export class EndpointSecretDto extends EndpointAnswerDto {
  /** For verifying the requests to it. */
  secret: string;
}

/** A test event on its way. */
export class EndpointTestDto {
  /** Of the delivery, as the dashboard lists it. */
  delivery_id: string;
}
