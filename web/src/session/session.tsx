import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useState } from 'react';
import { accountsQuery } from '../api/queries.ts';
import type { Account, Session } from '../api/types.ts';

type PlaceAccount = NonNullable<Session['account']>;

interface Place {
  readonly session: Session;
  /** The chosen account; null for all of them. */
  readonly accountId: string | null;
  /** What every part of the page can read. */
  readonly account: PlaceAccount | null;
  readonly accounts: readonly Account[];
  readonly chooseAccount: (id: string | null) => void;
}

const PlaceContext = createContext<Place | null>(null);
const choiceKey = 'parley.account';

/** Gives the page its user and the account that it is about. */
export function SessionPlace({ session, children }: { session: Session; children: ReactNode }) {
  const isOperator = session.user.role === 'operator';
  const accounts = useQuery({ ...accountsQuery, enabled: isOperator }).data ?? [];
  const [chosen, setChosen] = useState(() => localStorage.getItem(choiceKey));
  const only = accounts.length === 1 ? accounts[0] : undefined;
  const account = isOperator
    ? (only ?? accounts.find(({ id }) => id === chosen) ?? null)
    : session.account;
  const chooseAccount = (id: string | null) => {
    setChosen(id);
    if (id === null) localStorage.removeItem(choiceKey);
    else localStorage.setItem(choiceKey, id);
  };
  const accountId = isOperator ? (account?.id ?? null) : session.user.account_id;
  return (
    <PlaceContext value={{ session, accountId, account, accounts, chooseAccount }}>
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
