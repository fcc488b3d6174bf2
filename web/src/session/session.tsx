import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect } from 'react';
import { accountsQuery } from '../api/account-queries.ts';
import type { Account, Session } from '../api/types.ts';

type PlaceAccount = NonNullable<Session['account']>;

interface Place {
  readonly session: Session;
  /** Viewers change nothing. */
  readonly mayChange: boolean;
  /** The chosen account; null for all of them. */
  readonly accountId: string | null;
  /** What every part of the page can read. */
  readonly account: PlaceAccount | null;
  readonly accounts: readonly Account[];
  readonly chooseAccount: (id: string | null) => void;
}

const PlaceContext = createContext<Place | null>(null);
const choiceKey = 'parley.account';
/** What the address says when the page is about all accounts. */
const allAccounts = 'all';

/** Gives the page its user and the account that it is about. */
export function SessionPlace({ session, children }: { session: Session; children: ReactNode }) {
  const { role } = session.user;
  const isOperator = role === 'operator';
  const mayChange = role !== 'viewer';
  const read = useQuery({ ...accountsQuery, enabled: isOperator });
  const accounts = read.data ?? [];
  const { account: asked } = useSearch({ strict: false });
  const navigate = useNavigate();
  // The address decides; without it, what was chosen last in this browser.
  const chosen = asked ?? localStorage.getItem(choiceKey) ?? allAccounts;
  const only = accounts.length === 1 ? accounts[0] : undefined;
  const account = isOperator
    ? (only ?? accounts.find(({ id }) => id === chosen) ?? null)
    : session.account;
  const show = (id: string) =>
    void navigate({ to: '.', search: (before) => ({ ...before, account: id }), replace: true });
  const chooseAccount = (id: string | null) => {
    localStorage.setItem(choiceKey, id ?? allAccounts);
    show(id ?? allAccounts);
  };
  const named = accounts.length > 1 ? (account?.id ?? allAccounts) : undefined;
  useEffect(() => {
    if (named !== undefined && asked !== named) show(named);
  });
  const accountId = isOperator ? (account?.id ?? null) : session.user.account_id;
  // Until the accounts are known, nothing is asked for: it would be asked for again.
  if (isOperator && read.isPending) return null;
  return (
    <PlaceContext value={{ session, mayChange, accountId, account, accounts, chooseAccount }}>
      {children}
    </PlaceContext>
  );
}

/** The user and the account that the page is about. */
export function usePlace(): Place {
  const place = use(PlaceContext);
  if (!place) throw new Error('there is no session here');
  return place;
}
