import type { Account, NumberCheck, TemplateSyncState } from '../api/types.ts';

export type AccountWord = 'Inactive' | 'Paused' | 'Throttled' | 'Token refused' | 'Active';

/** The last check of the number in this session. */
export interface Checked {
  readonly at: string;
  readonly check: NumberCheck;
}

type Judged = Pick<Account, 'id' | 'active' | 'health' | 'hold_kind' | 'updated_at'>;

const tokenRefused = 190;

/** Whether an account's keys can send right now, as far as Parley has learned. */
export function accountWord(
  account: Judged,
  syncs: readonly TemplateSyncState[],
  checked?: Checked,
): AccountWord {
  if (!account.active) return 'Inactive';
  if (account.hold_kind === 'paused') return 'Paused';
  if (account.hold_kind === 'throttled') return 'Throttled';
  return isTokenRefused(account, syncs, checked) ? 'Token refused' : 'Active';
}

/** What WhatsApp said last about the token; a change of the account may have brought another one. */
function isTokenRefused(
  { id, health, updated_at: changedAt }: Judged,
  syncs: readonly TemplateSyncState[],
  checked: Checked | undefined,
): boolean {
  const sync = syncs.find(({ account_id: of, mode }) => of === id && mode === 'live');
  const answers = [
    ...(health && health.token_valid !== null
      ? [{ at: health.read_at, isRefused: !health.token_valid }]
      : []),
    ...(sync?.synced_at ? [{ at: sync.synced_at, isRefused: false }] : []),
    ...(sync?.error && sync.failed_at
      ? [{ at: sync.failed_at, isRefused: sync.error.whatsapp_error_code === tokenRefused }]
      : []),
    ...(checked && (checked.check.ok || checked.check.error?.whatsapp_error_code === tokenRefused)
      ? [{ at: checked.at, isRefused: !checked.check.ok }]
      : []),
  ]
    .filter(({ at }) => Date.parse(at) > Date.parse(changedAt))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return answers.at(-1)?.isRefused ?? false;
}
