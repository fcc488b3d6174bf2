import { dayMs } from '#libs/durations';
import type { AccessTokenFacts, PhoneNumberResult } from '#libs/whatsapp';
import type { Alert } from '../../alerts/alerts.js';
import { type Answer, isTokenRefusal } from '../../platform/platform-answer.js';

/** A token that expires within this many days needs attention. */
const tokenWarningDays = 14;

/** What is known of a number and its access token; null: WhatsApp did not say. */
export interface HealthFacts {
  /** `GREEN`, `YELLOW`, `RED`, `UNKNOWN`, `NA`. */
  readonly quality: string | null;
  /** `TIER_250` … `TIER_UNLIMITED`. */
  readonly messagingLimit: string | null;
  readonly nameStatus: string | null;
  readonly verifiedName: string | null;
  readonly tokenValid: boolean | null;
  /** Null also for a token without an end. */
  readonly tokenExpiresAt: Date | null;
}

export type HealthField =
  | 'quality'
  | 'quality_event'
  | 'messaging_limit'
  | 'name_status'
  | 'verified_name'
  | 'token';

/** One fact that changed. */
export interface HealthChange {
  readonly field: HealthField;
  /** Null: it was not known. */
  readonly before: string | null;
  readonly after: string;
}

export type HealthAlert = Omit<Alert, 'accountId'>;

const nothing: HealthFacts = {
  quality: null,
  messagingLimit: null,
  nameStatus: null,
  verifiedName: null,
  tokenValid: null,
  tokenExpiresAt: null,
};

/** The facts in WhatsApp's answers; null if there are none. */
export function factsOf(
  number: PhoneNumberResult,
  token: Answer<AccessTokenFacts>,
): HealthFacts | null {
  const ofToken = tokenFactsOf(token);
  if (!number.ok && !ofToken) return null;
  return {
    ...nothing,
    ...(number.ok && {
      quality: number.phoneNumber.qualityRating,
      messagingLimit: number.phoneNumber.messagingLimit,
      nameStatus: number.phoneNumber.nameStatus,
      verifiedName: number.phoneNumber.verifiedName,
    }),
    ...ofToken,
  };
}

function tokenFactsOf(
  token: Answer<AccessTokenFacts>,
): Pick<HealthFacts, 'tokenValid' | 'tokenExpiresAt'> | null {
  if (token.ok) {
    return { tokenValid: token.value.isValid, tokenExpiresAt: token.value.expiresAt };
  }
  return isTokenRefusal(token.error) ? { tokenValid: false, tokenExpiresAt: null } : null;
}

/** What is known after a reading: what WhatsApp did not say is as before. */
export function merged(before: HealthFacts | null, read: HealthFacts): HealthFacts {
  const known = before ?? nothing;
  const token = read.tokenValid === null ? known : read;
  return {
    quality: read.quality ?? known.quality,
    messagingLimit: read.messagingLimit ?? known.messagingLimit,
    nameStatus: read.nameStatus ?? known.nameStatus,
    verifiedName: read.verifiedName ?? known.verifiedName,
    tokenValid: token.tokenValid,
    tokenExpiresAt: token.tokenExpiresAt,
  };
}

/** What changed between two readings. @param before null: nothing was known. */
export function changesBetween(before: HealthFacts | null, after: HealthFacts): HealthChange[] {
  const known = before ?? nothing;
  return [
    ...changeOf('quality', known.quality, after.quality),
    ...limitChange(known.messagingLimit, after.messagingLimit),
    ...changeOf('name_status', known.nameStatus, after.nameStatus),
    ...changeOf('verified_name', known.verifiedName, after.verifiedName),
    ...changeOf('token', tokenWord(known), tokenWord(after)),
  ];
}

/** A change, or none. */
export function changeOf(
  field: HealthField,
  before: string | null,
  after: string | null,
): HealthChange[] {
  return after === null || after === before ? [] : [{ field, before, after }];
}

/** Notifications and readings word limits differently: `2000` is `TIER_2K`. */
export function limitChange(before: string | null, after: string | null): HealthChange[] {
  const isSame = before !== null && after !== null && usersOf(before) === usersOf(after);
  return isSame ? [] : changeOf('messaging_limit', before, after);
}

/** `TIER_2K` or `2000` → 2000; no number where the limit is not known, which nothing is below. */
export function usersOf(limit: string): number {
  if (limit === 'TIER_UNLIMITED' || limit === '-1') return Number.POSITIVE_INFINITY;
  const [, digits, thousands] = /^(?:TIER_)?(\d+)(K)?$/.exec(limit) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (thousands ? 1_000 : 1);
}

/** What needs attention by these facts. @param facts null: nothing is known. */
export function troublesOf(facts: HealthFacts | null, at: Date): HealthAlert[] {
  if (!facts) return [];
  const { quality, tokenValid, tokenExpiresAt: end } = facts;
  const troubles: HealthAlert[] = [];
  if (quality === 'RED') {
    troubles.push({
      kind: 'number_quality',
      subject: 'number',
      message: 'WhatsApp rates the quality of the number as low (RED).',
      details: { quality_rating: quality },
    });
  }
  if (tokenValid === false) {
    troubles.push({
      kind: 'token_refused',
      subject: 'token',
      message: 'WhatsApp does not accept the access token: sends from this number fail.',
      details: {},
    });
  } else if (end && end.getTime() - at.getTime() <= tokenWarningDays * dayMs) {
    troubles.push({
      kind: 'token_expiring',
      subject: 'token',
      message: `The access token ends at ${minuteText(end)}. From then on, sends from this number fail.`,
      details: { expires_at: end.toISOString() },
    });
  }
  return troubles;
}

/** `invalid`, `never` (it does not expire), or when it expires; null: not known. */
function tokenWord({ tokenValid, tokenExpiresAt }: HealthFacts): string | null {
  if (tokenValid === null) return null;
  return tokenValid ? (tokenExpiresAt?.toISOString() ?? 'never') : 'invalid';
}

/** `2026-11-26 06:30 UTC` */
export const minuteText = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
