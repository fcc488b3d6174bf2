import { passingReasons, pauseAdvice } from '../../../src/campaigns/campaign.ts';
import { newDraftLimits } from '../api/limits/new-draft.ts';
import type {
  Campaign,
  CampaignDetails,
  CampaignRecipient,
  NewCampaignDraft,
} from '../api/types.ts';
import { amount, counted } from '../parts/numbers.ts';
import { duration } from '../parts/times.ts';

type PauseReason = NonNullable<Campaign['reason']>;

export const campaignStatuses: readonly Campaign['status'][] = [
  'draft',
  'scheduled',
  'running',
  'paused',
  'completed',
  'cancelled',
];

/** Why a campaign is paused, in a few words. */
export const pauseWords: Readonly<Record<PauseReason, string>> = {
  operator: 'By hand',
  template_paused: 'Template not approved',
  template_changed: 'Template or mapping changed',
  failure_rate: 'Too many failures',
  number_paused: 'WhatsApp refuses the number',
  daily_limit: '90 % of the key’s day used',
  quality: 'Quality flagged by WhatsApp',
  messaging_limit: 'Messaging limit lowered',
  key_not_active: 'Key not active',
  account_not_active: 'Account switched off',
  restored: 'Database restored',
};

/** Whether the pause ends by itself when its cause does. */
export const isPassing = ({ reason }: Pick<Campaign, 'reason'>) =>
  reason !== null && passingReasons.includes(reason);

/** What to do about a pause. */
export const adviceOf = (reason: PauseReason): string =>
  reason === 'operator' ? 'It goes on when you resume it.' : pauseAdvice[reason];

/** Who has paused or cancelled a campaign. */
export const stopperWords = ({ kind, name }: NonNullable<CampaignDetails['paused_by']>): string =>
  kind === 'user' ? name : `a program with the key “${name}”`;

/** What the notice of a pause begins with: `Paused by ada@example.org`. */
export function pausedWords(reason: PauseReason, by: CampaignDetails['paused_by']): string {
  if (reason === 'operator') {
    return by === null ? 'Paused by hand' : `Paused by ${stopperWords(by)}`;
  }
  return `Paused: ${pauseWords[reason].charAt(0).toLowerCase()}${pauseWords[reason].slice(1)}`;
}

/** What happens to recipients that were left out. */
const skipWords: Readonly<Record<string, string>> = {
  opted_out: 'They have opted out',
  held_131049:
    'WhatsApp had held back a message to them less than a day before. Send to them a day later, with a new campaign',
  duplicate: 'The same person is in the campaign under another number or id',
  invalid_variables: 'Their variables no longer fit the template',
  media_expired: 'A file of theirs is no longer there',
};

/** Why a recipient was left out; undefined for a reason that this version does not know. */
export const skipWordsOf = (reason: string): string | undefined => skipWords[reason];

type Steered = Pick<Campaign, 'counts' | 'per_second' | 'reason' | 'send_at'>;

/** What happens when the campaign is resumed. @param now in milliseconds since 1970 */
export function resumeWords(
  { counts, per_second, reason, send_at }: Steered,
  now: number,
): string[] {
  const pace =
    per_second === null
      ? 'as fast as the number may send'
      : `at most ${amount(per_second)} a second`;
  const whom = counted(counts.pending, 'recipient');
  const isLater = send_at !== null && Date.parse(send_at) > now;
  return [
    isLater
      ? `It waits for its time again, then goes to ${whom}, ${pace}.`
      : `It goes on now with ${whom}, ${pace}.`,
    ...(reason === null || reason === 'operator'
      ? []
      : [`${adviceOf(reason)} If its cause is still there, the campaign pauses again.`]),
  ];
}

/**
 * To whom a campaign sends, and how long that takes.
 * @param seconds null or undefined while it is not known.
 */
export const sendingWordsOf = (people: number, seconds: number | null | undefined): string =>
  [
    people === 1 ? '1 person' : `${amount(people)} people`,
    people > 1 && ', one after another',
    typeof seconds === 'number' && `: about ${duration(seconds * 1_000)} at the present pace`,
  ]
    .filter(Boolean)
    .join('');

/** What happens when the campaign is cancelled. */
export function cancelWords({ counts, status }: Pick<Campaign, 'counts' | 'status'>): string[] {
  const { pending, released, sent, delivered, read } = counts;
  if (status === 'draft') {
    return [
      `${pending > 0 ? `Its ${counted(pending, 'recipient')} will get nothing. ` : ''}It cannot be started any more. The list shows it as cancelled.`,
    ];
  }
  const gone = sent + delivered + read;
  return [
    `${counted(pending + released, 'recipient')} will get nothing from it. The few messages that are being sent at this moment still go out.`,
    `${gone === 0 ? '' : `${counted(gone, 'message')} sent already cannot be taken back. `}A cancelled campaign cannot go on; a paused one can. You can still send to them: its page then offers a draft for the rest.`,
  ];
}

/** A new draft with the same settings, without recipients and without a time. */
export const copyOf = (campaign: Campaign): NewCampaignDraft => ({
  api_key_id: campaign.api_key_id,
  name: `${campaign.name.slice(0, newDraftLimits.name.maxLength - ' (copy)'.length)} (copy)`,
  template_name: campaign.template_name,
  language: campaign.language,
  per_second: campaign.per_second,
  message_events: campaign.message_events,
  pause_on: campaign.pause_on,
  reference: campaign.reference,
});

/** When the last thing happened to a recipient; null if nothing has. */
export const lastChangeOf = (recipient: CampaignRecipient): string | null =>
  [
    recipient.released_at,
    recipient.sent_at,
    recipient.delivered_at,
    recipient.read_at,
    recipient.failed_at,
  ]
    .filter((at) => at !== null)
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))
    .at(-1) ?? null;
