import { defaultKeywords, keywordsMax } from '../../../src/accounts/default-keywords.ts';
import { ApiFailure } from '../api/client.ts';
import type { Account, NewAccount } from '../api/types.ts';

/** An account as the form holds it. The two secrets are empty unless the user enters them. */
export interface AccountDraft {
  name: string;
  display_phone_number: string;
  phone_number_id: string;
  business_account_id: string;
  access_token: string;
  app_secret: string;
  /** Messages per second; empty: no limit. */
  messages_per_second: number | string;
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
});

const paceMax = 10_000;

const paceOf = ({ messages_per_second: pace }: Pick<AccountDraft, 'messages_per_second'>) =>
  pace === '' ? null : Number(pace);

const missing = {
  access_token: 'Paste the access token of a system user.',
  app_secret: 'Paste the app secret of your app at Meta.',
} as const;

const isSecret = (text: string) => /^[\x21-\x7e]{1,4096}$/.test(text);

/** What is wrong with a draft, by field. @param isNew an account that exists has its secrets already. */
export function accountFaults(draft: AccountDraft, isNew: boolean): AccountFaults {
  const faults: AccountFaults = {};
  const length = Array.from(draft.name).length;
  if (draft.name.trim() === '') faults.name = 'An account needs a name.';
  else if (length > 100) faults.name = `At most 100 characters; this has ${length}.`;
  const digits = draft.display_phone_number.replaceAll(/\D/g, '').length;
  if (digits < 7 || digits > 15 || !/^\+?[\d ().-]{7,30}$/.test(draft.display_phone_number)) {
    faults.display_phone_number = 'A number such as +44 20 7946 0182.';
  }
  for (const field of ['phone_number_id', 'business_account_id'] as const) {
    if (!/^\d{1,32}$/.test(draft[field])) faults[field] = 'Digits only, as WhatsApp shows it.';
  }
  for (const field of ['access_token', 'app_secret'] as const) {
    if (draft[field] === '' ? isNew : !isSecret(draft[field])) {
      faults[field] =
        draft[field] === ''
          ? missing[field]
          : 'Printable characters without spaces, at most 4,096.';
    }
  }
  for (const field of ['keywords_out', 'keywords_in'] as const) {
    if (draft[field].length > keywordsMax) faults[field] = `At most ${keywordsMax} words.`;
  }
  const pace = draft.messages_per_second;
  if (
    pace !== '' &&
    (!Number.isInteger(Number(pace)) || Number(pace) < 1 || Number(pace) > paceMax)
  ) {
    faults.messages_per_second = 'A whole number from 1 to 10,000, or nothing.';
  }
  return faults;
}

/** What the API names in another way than the form. */
function bodyOf({ keywords_out, keywords_in, ...draft }: AccountDraft) {
  const hasKeywords = keywords_out.length + keywords_in.length > 0;
  return {
    ...draft,
    name: draft.name.trim(),
    messages_per_second: paceOf(draft),
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
