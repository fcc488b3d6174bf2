import type { Mode } from '../access/mode.js';
import { as, type RowOf } from '../database/statements/sql-types.js';

export const campaignStatuses = [
  'draft',
  'scheduled',
  'running',
  'paused',
  'completed',
  'cancelled',
] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];

/** Why a campaign is paused. */
export const pauseReasons = [
  'operator',
  'template_paused',
  'template_changed',
  'failure_rate',
  'number_paused',
  'daily_limit',
  'quality',
  'messaging_limit',
  'key_not_active',
  'account_not_active',
  'restored',
] as const;

export type PauseReason = (typeof pauseReasons)[number];

/** Pauses that end by themselves when their cause does. */
export const passingReasons: readonly PauseReason[] = [
  'daily_limit',
  'number_paused',
  'template_paused',
];

/** What to do about a pause, for the alert and for the dashboard's page. */
export const pauseAdvice: Readonly<Record<Exclude<PauseReason, 'operator'>, string>> = {
  template_paused:
    'WhatsApp has paused or rejected its template. It goes on by itself once the template is approved.',
  template_changed:
    'Its template or mapping has changed. Look at the template, then resume the campaign.',
  failure_rate:
    'Too many messages have failed. Look at the errors of its recipients before you resume it.',
  number_paused:
    'WhatsApp refuses messages from the number. It goes on by itself when the number works again.',
  daily_limit:
    'The API key has used 90 % of its day. It goes on by itself tomorrow (UTC), or once the limit is raised.',
  quality:
    'WhatsApp has flagged the quality of the number or of the template. Find out why in WhatsApp Manager before you resume it.',
  messaging_limit:
    'WhatsApp has lowered how many users the business may write to. Look at the limit in WhatsApp Manager before you resume it.',
  key_not_active:
    'Its API key may not send any more. Make the key active again, then resume the campaign.',
  account_not_active: 'The account is switched off. Switch it on, then resume the campaign.',
  restored:
    'The database has gone back to an earlier moment: WhatsApp may have messages to recipients who are pending. Resume it to send to all of them, or cancel it.',
};

/** Which statuses of its messages are told to webhooks. */
export const messageEvents = ['all', 'failed', 'none'] as const;

/** The columns of `campaignColumns`. */
export const campaignColumnTypes = {
  id: 'uuid',
  accountId: 'uuid',
  apiKeyId: 'uuid',
  mode: as<Mode>('text'),
  name: 'text',
  templateName: 'text',
  language: 'text',
  reference: 'text?',
  perSecond: 'int4?',
  messageEvents: as<(typeof messageEvents)[number]>('text'),
  failureRate: 'float4?',
  retryOf: 'uuid?',
  status: as<CampaignStatus>('text'),
  reason: as<PauseReason | null>('text'),
  total: 'int4',
  rate: 'float4?',
  sendAt: 'timestamptz?',
  createdAt: 'timestamptz',
  startedAt: 'timestamptz?',
  pausedAt: 'timestamptz?',
  endedAt: 'timestamptz?',
} as const;

/** A campaign as its row has it. */
export type CampaignRow = Readonly<RowOf<typeof campaignColumnTypes>>;

export const campaignColumns = `c.id, c.account_id as "accountId", c.api_key_id as "apiKeyId", c.mode, c.name,
  c.template_name as "templateName", c.language, c.reference, c.per_second as "perSecond",
  c.message_events as "messageEvents", c.failure_rate as "failureRate", c.retry_of as "retryOf", c.status, c.reason,
  c.total, case when c.status = 'running' and c.rate_from > now() - interval '15 seconds' then c.rate end as rate,
  c.send_at as "sendAt", c.created_at as "createdAt", c.started_at as "startedAt", c.paused_at as "pausedAt",
  c.ended_at as "endedAt"`;

/** For the database: what of the template `t` is sent: every value but the examples, whose links change with each sync. */
const sentValues = `
  jsonb_path_query_array(t.components, 'strict $.** ? (@.type() == "object").keyvalue()
    ? (@.key != "example").value ? (@.type() != "object" && @.type() != "array")')`;

/**
 * For the database: the template `t` and the mapping `p` of a campaign as one word, which changes with what is sent; null
 * where one is missing.
 */
export const contentHash = `
  md5(${sentValues}::text || t.parameter_format || p.variables::text)`;

/** The same with the examples: as campaigns have it that were started before `content_hash` was there. */
export const templateHash = `
  md5(t.components::text || t.parameter_format || p.variables::text)`;

/**
 * For the database: whether the template or the mapping of the campaign `c` has changed since it was started or resumed.
 * One that was started before `content_hash` was there has only `template_hash`.
 */
export const isTemplateChanged = `
  case when c.content_hash is null then c.template_hash is distinct from ${templateHash}
    else c.content_hash is distinct from ${contentHash} end`;

/** For the database: the template `t` and the mapping `p` of the campaign `c`. */
export const templateJoin = `
  left join templates t on t.account_id = c.account_id and t.mode = c.mode and t.name = c.template_name
    and t.language = c.language and t.deleted_at is null
  left join template_mappings p on p.api_key_id = c.api_key_id and p.template_id = t.id`;

/** What a change of a campaign waits for before it takes a connection: it locks the campaign's row. */
export const campaignTurn = (campaignId: string) => `campaign ${campaignId.toLowerCase()}`;
