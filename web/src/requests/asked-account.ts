import { usePlace } from '../session/session.tsx';

/**
 * The account whose requests are shown; null for all. Requests without a known key are of none: an operator of a single
 * account sees them, too.
 */
export function useAskedAccount(): string | null {
  const { accountId, accounts, session } = usePlace();
  return session.user.role === 'operator' && accounts.length === 1 ? null : accountId;
}
