import { IsIn, IsOptional, Matches, ValidateIf } from 'class-validator';
import type {
  EndpointFormat,
  EndpointScope,
  HandshakeState,
} from '../../endpoints/endpoint.entity.js';
import { IsWebhookUrl } from '../../endpoints/webhook-url.rule.js';
import {
  receivedTypes,
  toldStatuses,
  type WebhookEvent,
  webhookEvents,
} from '../../events/event-types.js';
import { MayBeAbsent } from '../../http/validation/body.pipe.js';
import { IsListOfValues, IsText, IsWholeNumber, memberOf } from '../../http/validation/rules.js';
import type { EndpointHealthDto } from '../deliveries.dto.js';

const scopes = ['key', 'account'] as const;
const formats = ['parley', 'whatsapp'] as const;

const fieldForm = /^[a-z_]{1,64}$/;

/** A secret that signs in WhatsApp's form. */
const IsHubSecret = () =>
  Matches(/^[\x21-\x7e]{16,128}$/, {
    message: 'must be 16 to 128 printable ASCII characters without blanks',
  });

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

  /** Of format `whatsapp`: only these fields of WhatsApp, such as `messages`; default: all. */
  @IsOptional()
  @IsListOfValues(
    1,
    50,
    (value) =>
      typeof value === 'string' && fieldForm.test(value)
        ? null
        : 'must be the name of a field, such as messages',
    { type: 'string', pattern: fieldForm.source },
  )
  fields?: string[] | null;

  /**
   * Of format `whatsapp`: what the endpoint expects as `hub.verify_token` when it is asked for its challenge; `null`: it
   * is not asked. It is never shown.
   */
  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,256}$/, {
    message: 'must be 1 to 256 printable ASCII characters without blanks',
  })
  verify_token?: string | null;
}

/** A new endpoint. */
export class NewEndpointDto extends EndpointSettingsDto {
  /**
   * `parley` (default): events of Parley. `whatsapp`: what WhatsApp notifies of the account, in WhatsApp's own form, one
   * message, status or change a request, signed with `X-Hub-Signature-256`; the key needs `view_messages`. It cannot be
   * changed later.
   */
  @IsOptional()
  @IsIn(formats, { message: 'must be parley or whatsapp' })
  format?: EndpointFormat | null;

  /** Of format `whatsapp`: the secret that signs, which several endpoints may share; default: a new one. */
  @IsOptional()
  @IsHubSecret()
  secret?: string | null;

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

/** A new secret for an endpoint. */
@MayBeAbsent()
export class SecretRotationDto {
  /** Of format `whatsapp`: the secret that signs from now on; default: a new one. */
  @IsOptional()
  @IsHubSecret()
  secret?: string | null;
}

/** What came of asking an endpoint for its challenge. */
export class EndpointHandshakeDto {
  /** `answered`: with the challenge. `refused`: with something else. `failed`: not at all. `not_done`: it was not asked. */
  state: HandshakeState;
  at: Date | null;
}

/** Where events go. */
export class EndpointDto {
  id: string;
  /** `default`: the one that `webhook_url` of the key sets. */
  name: string;
  url: string;
  /** What it gets; it never changes. */
  format: EndpointFormat;
  /** Null for the format `whatsapp`. */
  events: WebhookEvent[] | null;
  /** Null: all. */
  statuses: string[] | null;
  /** Null: all. */
  message_types: string[] | null;
  scope: EndpointScope;
  max_in_flight: number;
  /** Of format `whatsapp` only: the fields of WhatsApp that it gets; null: all. */
  fields?: string[] | null;
  /** Of format `whatsapp` only. */
  has_verify_token?: boolean;
  /** Of format `whatsapp` only. */
  handshake?: EndpointHandshakeDto;
  /** Of format `whatsapp` only: how many deliveries were left out because they are over 1 MiB. */
  left_out?: number;
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
