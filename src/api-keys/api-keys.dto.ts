import { IsIn, IsOptional, ValidateIf } from 'class-validator';
import { IsMode, type Mode } from '../access/mode.js';
import { type Permission, permissions } from '../access/permissions.js';
import { IsWebhookUrl } from '../endpoints/webhook-url.rule.js';
import { type WebhookEvent, webhookEvents } from '../events/event-types.js';
import { MayBeAbsent } from '../http/validation/body.pipe.js';
import {
  IsFlag,
  IsFutureTime,
  IsIdOf,
  IsListOfValues,
  IsText,
  IsWholeNumber,
  isGiven,
  memberOf,
} from '../http/validation/rules.js';
import { addressRangeFault, LeavesAddressesOut } from './address-range.js';
import { type SecretKind, secretKinds } from './api-key-answers.dto.js';

/** The default limits of a key. */
export const defaultLimits = { perMinute: 60, perDay: 10_000 };

const limitMax = 1_000_000_000;
const overlapMax = 604_800;

const whenGiven = (field: string) =>
  ValidateIf((owner: object) => isGiven(new Map(Object.entries(owner)).get(field)));

/** The optional settings of a key; `null` stands for the default. */
export class ApiKeySettingsDto {
  /** At most 500 characters. */
  @whenGiven('description')
  @IsText(500)
  description?: string | null;

  /** 1 to 1,000,000,000; default 60. */
  @whenGiven('rate_limit_per_minute')
  @IsWholeNumber(1, limitMax)
  rate_limit_per_minute?: number | null;

  /** 1 to 1,000,000,000; default 10,000. */
  @whenGiven('daily_limit')
  @IsWholeNumber(1, limitMax)
  daily_limit?: number | null;

  /** ISO 8601, in the future, at most 9999-12-31T23:59:59Z; default: never. */
  @whenGiven('expires_at')
  @IsFutureTime()
  expires_at?: string | null;

  /** Addresses or CIDR ranges, IPv4 and IPv6, up to 100; none means any. */
  @whenGiven('allowed_ips')
  @IsListOfValues(0, 100, addressRangeFault)
  @LeavesAddressesOut()
  allowed_ips?: string[] | null;

  /** Default: true. An inactive key is refused until it is switched on again. */
  @whenGiven('active')
  @IsFlag()
  active?: boolean | null;

  /** Default: false. Whether requests without a signature are refused. */
  @whenGiven('require_signature')
  @IsFlag()
  require_signature?: boolean | null;

  /** http or https, at most 2,048 characters. Where events go; default: nowhere. */
  @whenGiven('webhook_url')
  @IsWebhookUrl()
  webhook_url?: string | null;

  /**
   * `message.received`, `message.status`, `webhook.test`, which are the default, `message.echo`, `message.standby`,
   * `contact.changed`, `contact.consent`, `campaign.status`, and for the scope `account` `alert.raised` and `alert.resolved`.
   */
  @whenGiven('webhook_events')
  @IsListOfValues(1, webhookEvents.length, memberOf(webhookEvents))
  webhook_events?: WebhookEvent[] | null;

  /** Default: false. Whether the key's events are kept for `GET /events`, from now on. */
  @whenGiven('event_feed')
  @IsFlag()
  event_feed?: boolean | null;

  /**
   * Default: false. Whether programs that speak WhatsApp's own API may use the key, at `/graph/vNN.N`. Not together with
   * `require_signature`: these programs sign nothing.
   */
  @whenGiven('graph_access')
  @IsFlag()
  graph_access?: boolean | null;
}

/** A new API key. */
export class NewApiKeyDto extends ApiKeySettingsDto {
  /** 1 to 100 characters; unique in the account, regardless of case. Spaces around it are removed. */
  @IsText(100)
  name: string;

  /** `live` (default) sends to WhatsApp, `test` to the simulator. */
  @whenGiven('mode')
  @IsMode()
  mode?: Mode | null;

  /** At least one of send_template, send_text, send_media, view_templates, view_messages, manage_contacts, manage_campaigns, manage_webhooks. */
  @IsListOfValues(1, permissions.length, memberOf(permissions))
  permissions: Permission[];

  /** For operators: the key's account; default: the only one. */
  @whenGiven('account_id')
  @IsIdOf('an account')
  account_id?: string | null;
}

/** A change of an API key. Absent fields stay as they are; `null` restores the default. */
export class ApiKeyChangeDto extends ApiKeySettingsDto {
  /** 1 to 100 characters; unique in the account, regardless of case. Spaces around it are removed. */
  @ValidateIf((change: ApiKeyChangeDto) => change.name !== undefined)
  @IsText(100)
  name?: string;

  /** At least one of send_template, send_text, send_media, view_templates, view_messages, manage_contacts, manage_campaigns, manage_webhooks. */
  @ValidateIf((change: ApiKeyChangeDto) => change.permissions !== undefined)
  @IsListOfValues(1, permissions.length, memberOf(permissions))
  permissions?: Permission[];
}

/** Why a key is suspended. */
export class KeySuspensionDto {
  /** 1 to 500 characters; administrators of the account see it. */
  @IsText(500)
  reason: string;
}

/** How long the bodies of a key's requests are kept. */
export class KeepBodiesDto {
  /** From now on: 1 to 60. Each body is deleted an hour after it came. */
  @IsWholeNumber(1, 60)
  minutes: number;
}

/** How long a rotation keeps the former key or secret. */
@MayBeAbsent()
export class KeyRotationDto {
  /**
   * How long the former key or secret still works: 0 to 604,800 seconds. Default 0; a day for the
   * webhook's secret, since events are signed with both.
   */
  @whenGiven('overlap_seconds')
  @IsWholeNumber(0, overlapMax)
  overlap_seconds?: number | null;
}

/** Which old values end. */
@MayBeAbsent()
export class EndOverlapDto {
  /** Default: all three kinds. */
  @whenGiven('only')
  @IsIn(secretKinds, { message: `must be one of ${secretKinds.join(', ')}` })
  only?: SecretKind | null;
}

/** Restricts the list to one account. */
export class AccountQueryDto {
  /** Default: all that the user may see. */
  @whenGiven('account_id')
  @IsIdOf('an account')
  account_id?: string;
}

/** Restricts the list to one account and one mode. */
export class AccountModeQueryDto extends AccountQueryDto {
  /** Only what is of this mode. Default: live and test. */
  @IsOptional()
  @IsMode()
  mode?: Mode;
}
