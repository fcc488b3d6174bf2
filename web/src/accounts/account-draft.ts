import { defaultKeywords, keywordsMax } from '../../../src/accounts/default-keywords.ts';
import { ApiFailure } from '../api/client.ts';
import { accountLimitsChangeLimits } from '../api/limits/account-limits-change.ts';
import { newAccountLimits } from '../api/limits/new-account.ts';
import type { Account, NewAccount } from '../api/types.ts';
import { found, lengthFault, numberFault } from '../parts/limit-faults.ts';
import { amount } from '../parts/numbers.ts';

/** Numbers that may be left empty, which is no limit. */
const numberFields = {
  messages_per_second: newAccountLimits.messages_per_second,
  limits_keys: accountLimitsChangeLimits.keys,
  limits_endpoints: accountLimitsChangeLimits.endpoints,
  limits_rate_limit_per_minute: accountLimitsChangeLimits.rate_limit_per_minute,
  limits_daily_limit: accountLimitsChangeLimits.daily_limit,
} as const;

type NumberField = keyof typeof numberFields;

/** One of `limits` of the account. */
export type LimitField = Exclude<NumberField, 'messages_per_second'>;

/** An account as the form holds it. The two secrets are empty unless the user enters them. */
export interface AccountDraft extends Record<NumberField, number | string> {
  name: string;
  display_phone_number: string;
  phone_number_id: string;
  business_account_id: string;
  access_token: string;
  app_secret: string;
  active: boolean;
  /** Words by which users opt out and in. */
  keywords_out: string[];
  keywords_in: string[];
  keyword_scope: Account['keyword_scope'];
}

export type AccountFaults = Partial<Record<keyof AccountDraft, string>>;

export const newAccountDraft: AccountDraft = {
  name: '',
  display_phone_number: '',
  phone_number_id: '',
  business_account_id: '',
  access_token: '',
  app_secret: '',
  messages_per_second: 80,
  active: true,
  keywords_out: defaultKeywords.out,
  keywords_in: defaultKeywords.in,
  keyword_scope: 'marketing',
  limits_keys: 100,
  limits_endpoints: 100,
  limits_rate_limit_per_minute: '',
  limits_daily_limit: '',
};

export const draftOfAccount = (account: Account): AccountDraft => ({
  name: account.name,
  display_phone_number: account.display_phone_number,
  phone_number_id: account.phone_number_id,
  business_account_id: account.business_account_id,
  access_token: '',
  app_secret: '',
  messages_per_second: account.messages_per_second ?? '',
  active: account.active,
  keywords_out: account.keywords?.out ?? [],
  keywords_in: account.keywords?.in ?? [],
  keyword_scope: account.keyword_scope,
  limits_keys: account.limits.keys ?? '',
  limits_endpoints: account.limits.endpoints ?? '',
  limits_rate_limit_per_minute: account.limits.rate_limit_per_minute ?? '',
  limits_daily_limit: account.limits.daily_limit ?? '',
});

/** The number in a field; null for an empty one. */
const numberOf = (value: number | string) => (value === '' ? null : Number(value));

const missing = {
  access_token: 'Paste the access token of a system user.',
  app_secret: 'Paste the app secret of your app at Meta.',
} as const;

/** What is wrong with a draft, by field. @param isNew an account that exists has its secrets already. */
export function accountFaults(draft: AccountDraft, isNew: boolean): AccountFaults {
  const limits = newAccountLimits;
  const faults: AccountFaults = found({
    name:
      draft.name.trim() === '' ? 'An account needs a name.' : lengthFault(draft.name, limits.name),
    ...Object.fromEntries(
      Object.entries(numberFields).map(([field, range]) => [
        field,
        numberFault(draft[field as NumberField], range, ', or nothing.'),
      ]),
    ),
  });
  if (!limits.display_phone_number.pattern.test(draft.display_phone_number)) {
    faults.display_phone_number = 'A number such as +44 20 7946 0182.';
  }
  for (const field of ['phone_number_id', 'business_account_id'] as const) {
    if (!limits[field].pattern.test(draft[field]))
      faults[field] = 'Digits only, as WhatsApp shows it.';
  }
  for (const field of ['access_token', 'app_secret'] as const) {
    if (draft[field] === '' ? isNew : !limits[field].pattern.test(draft[field])) {
      faults[field] =
        draft[field] === ''
          ? missing[field]
          : `Printable characters without spaces, at most ${amount(limits[field].maxLength)}.`;
    }
  }
  for (const field of ['keywords_out', 'keywords_in'] as const) {
    if (draft[field].length > keywordsMax) faults[field] = `At most ${keywordsMax} words.`;
  }
  return faults;
}

/** What the API names in another way than the form. */
function bodyOf({
  keywords_out,
  keywords_in,
  limits_keys,
  limits_endpoints,
  limits_rate_limit_per_minute,
  limits_daily_limit,
  ...draft
}: AccountDraft) {
  const hasKeywords = keywords_out.length + keywords_in.length > 0;
  return {
    ...draft,
    name: draft.name.trim(),
    messages_per_second: numberOf(draft.messages_per_second),
    limits: {
      keys: numberOf(limits_keys),
      endpoints: numberOf(limits_endpoints),
      rate_limit_per_minute: numberOf(limits_rate_limit_per_minute),
      daily_limit: numberOf(limits_daily_limit),
    },
    keywords: hasKeywords ? { out: keywords_out, in: keywords_in } : null,
  };
}

/** The body that makes the account. */
export const newAccountBody = (draft: AccountDraft): NewAccount => bodyOf(draft);

/** The body that changes the account: secrets that were not entered stay as they are. */
export function accountChange(draft: AccountDraft): object {
  const { access_token, app_secret, ...rest } = bodyOf(draft);
  return {
    ...rest,
    ...(access_token && { access_token }),
    ...(app_secret && { app_secret }),
  };
}

/** The API's own refusals, at the fields of the form. */
export function refusedAccountFields(error: Error): AccountFaults {
  if (!(error instanceof ApiFailure)) return {};
  if (error.code === 'NAME_TAKEN') return { name: 'There is an account with this name.' };
  return Object.fromEntries(
    Object.entries(error.fields)
      // One word of a list: `keywords.out[2]`.
      .map(([path, fault]) => [path.replace('.', '_').replace(/\[.*/, ''), fault] as const)
      .filter(([field]) => field in newAccountDraft),
  );
}
