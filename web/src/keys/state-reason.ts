import type { ApiKey } from '../api/types.ts';
import { dateAndTime } from '../parts/times.ts';

type Standing = Pick<
  ApiKey,
  'state' | 'active' | 'expires_at' | 'revoked_at' | 'suspended_at' | 'suspended_reason'
>;

const on = (at: string | null) => (at === null ? '' : ` on ${dateAndTime(at)}`);

/** Why a key is refused, and how that ends; null: it is not. */
export function stateReason(key: Standing): string | null {
  switch (key.state) {
    case 'active':
      return null;
    case 'inactive':
      return 'It was switched off. Its requests are refused until you switch it on.';
    case 'expired':
      return `It expired${on(key.expires_at)}. To use it again, give it a later date.`;
    case 'revoked':
      return `It was revoked${on(key.revoked_at)}. That is permanent.`;
    case 'suspended':
      return [
        `An operator suspended it${on(key.suspended_at)}`,
        key.suspended_reason ? `: “${key.suspended_reason}”.` : '.',
        ' Only an operator can reinstate it.',
        key.active ? '' : ' It is switched off as well.',
      ].join('');
  }
}
