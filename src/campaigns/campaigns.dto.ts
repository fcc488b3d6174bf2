import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsMode, type Mode } from '../access/mode.js';
import { ItemsHaveOwnAnswers, MayBeAbsent } from '../http/validation/body.pipe.js';
import { IsLimit, PageDto, ToInteger } from '../http/validation/page.dto.js';
import {
  IsIdOf,
  IsListOfErrorCodes,
  IsListOfValues,
  IsNumberFrom,
  IsObjectOf,
  IsText,
  IsTime,
  IsWholeNumber,
} from '../http/validation/rules.js';
import type { MessageErrorDto } from '../messages/message-answers.dto.js';
import { RecipientDto } from '../messages/sends/recipient.dto.js';
import {
  languageMaxLength,
  templateNameMaxLength,
} from '../templates/sends/template-messages.dto.js';
import { IsVariableValues } from '../templates/sends/variable-values.rule.js';
import {
  type CampaignStatus,
  campaignStatuses,
  messageEvents,
  type PauseReason,
} from './campaign.js';
import { type RecipientStatus, recipientStatuses } from './recipients/recipient-status.js';

/** When a campaign pauses by itself. */
export class PauseOnDto {
  /** The share of failed messages, 0 to 1, of the last 200 that were sent or failed; it counts from the 50th on. */
  @IsNumberFrom(0, 1)
  failure_rate: number;
}

/** A campaign to make: one template for many recipients. */
export class NewCampaignDto {
  /** For people. At most 100 characters. */
  @IsText(100)
  name: string;

  /** The name of an approved template for which the key has a mapping. At most 512 characters. */
  @IsText(templateNameMaxLength)
  template_name: string;

  /** The template's language code, such as en_US. */
  @IsText(languageMaxLength)
  language: string;

  /** When it begins, once you have started it: a time in ISO 8601 with its offset, 60 seconds to 35 days ahead. */
  @IsOptional()
  @IsTime()
  send_at?: string | null;

  /** The most recipients a second, 1 to 1,000. Default: as fast as the number may send. */
  @IsOptional()
  @IsWholeNumber(1, 1_000)
  per_second?: number | null;

  /** Which statuses of its messages your webhooks get: `all` (default), `failed` or `none`. */
  @IsOptional()
  @IsIn(messageEvents, { message: `must be one of ${messageEvents.join(', ')}` })
  message_events?: (typeof messageEvents)[number] | null;

  /** When it pauses by itself, beside what always pauses it. */
  @IsOptional()
  @IsObjectOf(() => PauseOnDto)
  pause_on?: PauseOnDto | null;

  /** Your own reference, for messages of recipients without one. At most 100 characters. */
  @IsOptional()
  @IsText(100)
  reference?: string | null;
}

/** Whom a campaign is for. */
export class CampaignRecipientDto extends RecipientDto {
  /** Variable name to value, which is a string of at most 1,024 characters. */
  @IsOptional()
  @IsVariableValues()
  variables?: Record<string, unknown> | null;

  /** Your own reference; it comes back with every event of the message. At most 100 characters. */
  @IsOptional()
  @IsText(100)
  reference?: string | null;
}

const objectFault = (item: unknown) =>
  typeof item === 'object' && item !== null && !Array.isArray(item) ? null : 'must be an object';

/** The longest body of a call that adds recipients. */
export const recipientsMaxBytes = 1024 * 1024;

/** More recipients. */
export class NewRecipientsDto {
  /**
   * 1 to 1,000, each with `to` or `to_user_id`, `variables` and, if you like, `reference`. Each is checked by itself; at most
   * 100,000 in all.
   */
  @ItemsHaveOwnAnswers()
  @IsListOfValues(1, 1_000, objectFault)
  recipients: object[];
}

/** Whom a retry is for: whose message has failed, who got nothing because the campaign was cancelled, or both. */
export const retriedGroups = ['failed', 'rest', 'failed_and_rest'] as const;

export type RetriedGroup = (typeof retriedGroups)[number];

/** Which recipients to try again. */
@MayBeAbsent()
export class CampaignRetryDto {
  /**
   * `failed` (default): whose message has failed. `rest`: who is `cancelled` in a cancelled campaign, because they were
   * not released yet or their message was cancelled. `failed_and_rest`: both; `codes` and `reasons` then choose among
   * those whose message has failed.
   */
  @IsOptional()
  @IsIn(retriedGroups, { message: `must be one of ${retriedGroups.join(', ')}` })
  who?: RetriedGroup | null;

  /** WhatsApp's error codes; default: all, unless there are `reasons`. Not with `rest`. */
  @IsOptional()
  @IsListOfErrorCodes()
  codes?: number[] | null;

  /**
   * Of those whose message failed without a code of WhatsApp, the reasons, such as `unreachable`; default: all, unless
   * there are `codes`. Not with `rest`.
   */
  @IsOptional()
  @IsListOfValues(1, 50, reasonFault, { type: 'string', pattern: '^[a-z][a-z0-9_]{0,49}$' })
  reasons?: string[] | null;
}

function reasonFault(item: unknown): string | null {
  return typeof item === 'string' && /^[a-z][a-z0-9_]{0,49}$/.test(item)
    ? null
    : 'must be a reason of Parley, such as unreachable';
}

/** Which recipients to list, in the order in which they were added. */
export class RecipientListDto {
  /** 1 to 100; default 20. */
  @IsLimit(100)
  limit = 20;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @Matches(/^\d{1,6}$/, { message: 'must be the next_cursor of an earlier answer' })
  cursor?: string;

  @IsOptional()
  @IsIn(recipientStatuses, { message: `must be one of ${recipientStatuses.join(', ')}` })
  status?: RecipientStatus;

  /** Recipients whose message failed with this code of WhatsApp. */
  @IsOptional()
  @ToInteger()
  @IsWholeNumber(0, 999_999)
  code?: number;
}

/** The same for people. */
export class DashboardRecipientListDto extends RecipientListDto {
  /** A text as people type it: a number in any notation or its last four digits, a contact's name, the beginning of a reference. */
  @IsOptional()
  @IsString()
  @MaxLength(255)
  q?: string;
}

/** How many recipients are in which state. The sum of the others is `total`. */
export class CampaignCountsDto {
  total: number;
  /** Not released yet. */
  pending: number;
  /** Handed to the queue of messages; a worker will send it. */
  released: number;
  /** Left out; each recipient's `reason` says why. */
  skipped: number;
  /** Never sent because the campaign, or the message, was cancelled. */
  cancelled: number;
  sending: number;
  unconfirmed: number;
  sent: number;
  delivered: number;
  read: number;
  failed: number;
}

/** A campaign. Times are ISO 8601 in UTC with milliseconds. */
export class CampaignDto {
  /** UUID. */
  id: string;
  account_id: string;
  /** The key that made it, and whose quota and mapping it uses. */
  api_key_id: string;
  name: string;
  mode: Mode;
  template_name: string;
  language: string;
  status: CampaignStatus;
  /** Why it is paused; null otherwise. */
  reason: PauseReason | null;
  counts: CampaignCountsDto;
  /** Recipients a second at present; null while it does not run. */
  rate: number | null;
  /** How long it still takes at this rate; null while that is not known. */
  eta_seconds: number | null;
  per_second: number | null;
  message_events: (typeof messageEvents)[number];
  pause_on: PauseOnDto | null;
  reference: string | null;
  /** The campaign whose failed recipients it tries again, or null. */
  retry_of: string | null;
  created_at: Date;
  send_at: Date | null;
  started_at: Date | null;
  paused_at: Date | null;
  /** When it was completed or cancelled. */
  ended_at: Date | null;
}

/** The campaign that a retry was made from. */
export class RetriedCampaignDto {
  name: string;
  /**
   * How many recipients of the retry had failed in it with each code of WhatsApp, or reason of Parley; the others
   * were its rest. Null once the retry is no draft any more.
   */
  failed_by_code: Record<string, number> | null;
}

/** Who has paused or cancelled a campaign: a person, or a program with the API key of the campaign. */
export class CampaignStopperDto {
  kind: 'user' | 'api_key';
  /** The user's email address at that time, or the name of the key. */
  name: string;
}

/** Why messages that are released wait. */
export class CampaignWaitDto {
  /** WhatsApp's code, or Parley's reason; null where WhatsApp gave none. */
  code: string | null;
  /** When they are tried again. */
  next_at: Date | null;
}

/** One of the first recipients of a draft. */
export class FirstRecipientDto {
  to: string | null;
  to_user_id: string | null;
  /** The values of the template's variables, as they were added. */
  variables: Record<string, unknown>;
}

/** A campaign as the dashboard shows it. */
export class DashboardCampaignDto extends CampaignDto {
  /** Null when the key is deleted. */
  api_key_name: string | null;
  /** How many messages failed with each code of WhatsApp, or reason of Parley; the most frequent 20. */
  failures_by_code: Record<string, number>;
  /** Of the failed, those that WhatsApp had taken before: they count as sent, but not as delivered. */
  failed_after_sent: number;
  /** Why released messages wait for another try: WhatsApp refused them for now, or holds the number. Null where none does. */
  waiting: CampaignWaitDto | null;
  /** What it was made from, where it is a retry; null otherwise. */
  retried: RetriedCampaignDto | null;
  /** Who has paused it by hand; null where that is not known, and while it is not paused by hand. */
  paused_by: CampaignStopperDto | null;
  /** The first recipients of a draft, at most ten: so their messages can be looked at before the start. */
  first_recipients: FirstRecipientDto[];
  /** Who has cancelled it; null where that is not known, and while it is not cancelled. */
  cancelled_by: CampaignStopperDto | null;
}

/** A campaign that tries recipients of another one again. */
export class CampaignRetryViewDto {
  id: string;
  name: string;
  status: CampaignStatus;
  /** How many recipients it has. */
  total: number;
  /** Whom it is for: whose message had failed, the rest of a cancelled campaign, or both. */
  who: RetriedGroup;
}

/** What can be tried again of a campaign that has ended, and what was. */
export class CampaignRetriesDto {
  /** How many of those whose message has failed a new retry would have. */
  failed: number;
  /** The same with each code of WhatsApp, or reason of Parley: what `codes` and `reasons` choose. */
  failed_by_code: Record<string, number>;
  /** The same of the rest of a cancelled campaign. */
  rest: number;
  /** The campaigns that try its recipients again, newest first; at most 20. */
  retries: CampaignRetryViewDto[];
}

/** Which campaigns to list; newest first. */
export class DashboardCampaignListDto extends PageDto {
  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  @IsOptional()
  @IsIn(campaignStatuses, { message: `must be one of ${campaignStatuses.join(', ')}` })
  status?: CampaignStatus;

  /** Campaigns of keys of this mode. */
  @IsOptional()
  @IsMode()
  mode?: Mode;
}

/** The answer about one campaign. */
export class CampaignAnswerDto {
  campaign: CampaignDto;
}

/** A page of campaigns, newest first. */
export class CampaignsDto {
  campaigns: CampaignDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A recipient that was not added. */
export class InvalidRecipientDto {
  /** Its place in `recipients`, from 0. */
  index: number;
  /** What is wrong, by field. */
  fields: Record<string, string>;
}

/** What became of a call that adds recipients. */
export class AddedRecipientsDto {
  added: number;
  /** Left out because the campaign has them already. */
  duplicates: number;
  invalid: InvalidRecipientDto[];
  /** How many the campaign has now. */
  total: number;
}

/** What a campaign would do if it were started now. */
export class EstimateDto {
  recipients: number;
  /** Of these, those who have opted out; they are skipped. */
  opted_out: number;
  /** How many users the business may write to in 24 hours, in WhatsApp's words; null while it has not said. */
  messaging_limit: string | null;
  /** How long it takes at the pace of the number and of the campaign; null where neither has one. */
  seconds: number | null;
}

/** A recipient and what became of their message. */
export class CampaignRecipientViewDto {
  to: string | null;
  to_user_id: string | null;
  reference: string | null;
  status: RecipientStatus;
  /** Why they were skipped, or why Parley itself failed the message; null otherwise. */
  reason: string | null;
  /** UUID; null before the release. */
  message_id: string | null;
  error: MessageErrorDto | null;
  released_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
}

/** A page of recipients, in the order in which they were added. */
export class CampaignRecipientsDto {
  recipients: CampaignRecipientViewDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}
