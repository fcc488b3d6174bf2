import type { PauseReason } from '../campaign.js';

/** The share of a key's day that campaigns may use up; the rest is for single sends. */
export const dayShare = 0.9;

/** WhatsApp refuses messages of the number because too many users have blocked or reported it. */
const spamRateCode = 131048;

/** What is known of a campaign's key, number and template. New is what came after its start or its last resume. */
export interface CampaignFacts {
  readonly isLive: boolean;
  readonly mayKeySend: boolean;
  readonly isAccountActive: boolean;
  readonly isTemplateApproved: boolean;
  readonly isTemplateChanged: boolean;
  readonly isTemplateRed: boolean;
  /** Why the number sends nothing now; null where it does. */
  readonly holdKind: string | null;
  readonly holdCode: number | null;
  /** WhatsApp's new word on the number: `FLAGGED`, `DOWNGRADE`, …; null where there is none. */
  readonly qualityEvent: string | null;
  /** Whether WhatsApp has restricted the account since then. */
  readonly isRestricted: boolean;
  /** The failed share of its latest messages, from 0 to 1; null where there are too few. */
  readonly failedShare: number | null;
  /** From which share on it pauses; null: from none. */
  readonly failureRate: number | null;
  readonly usedToday: number;
  readonly dailyLimit: number | null;
}

/** @returns why a campaign may not go on now: the first reason that applies; null where it may. */
export function troubleOf(facts: CampaignFacts): Exclude<PauseReason, 'operator'> | null {
  const { isLive, failedShare, failureRate, dailyLimit } = facts;
  if (!facts.mayKeySend) return 'key_not_active';
  if (!facts.isAccountActive) return 'account_not_active';
  if (!facts.isTemplateApproved) return 'template_paused';
  if (facts.isTemplateChanged) return 'template_changed';
  if (isLive && facts.holdKind === 'paused')
    return facts.holdCode === spamRateCode ? 'quality' : 'number_paused';
  if ((isLive && facts.qualityEvent === 'FLAGGED') || facts.isTemplateRed) return 'quality';
  if ((isLive && facts.qualityEvent === 'DOWNGRADE') || facts.isRestricted)
    return 'messaging_limit';
  if (failedShare && failureRate !== null && failedShare >= failureRate) return 'failure_rate';
  if (dailyLimit !== null && facts.usedToday >= Math.floor(dailyLimit * dayShare))
    return 'daily_limit';
  return null;
}
