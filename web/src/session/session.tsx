import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect } from 'react';
import { accountsQuery } from '../api/account-queries.ts';
import type { Account, Mode, Session } from '../api/types.ts';

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
  /** What the page is about; undefined: live and test. */
  readonly mode: Mode | undefined;
  readonly modeChoice: ModeChoice;
  readonly chooseMode: (choice: ModeChoice) => void;
}

/** What the address says of the mode. */
export const modeChoices = ['live', 'test', 'both'] as const;

type ModeChoice = (typeof modeChoices)[number];

/** Without a choice in the address, these pages show what is live. The first is where people begin. */
const livePages = ['/', '/contacts'];

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
  const { account: asked, mode: askedMode } = useSearch({ strict: false });
  const path = useLocation({ select: ({ pathname }) => pathname });
  const navigate = useNavigate();
  // The address decides; without it, what was chosen last in this browser.
  const chosen = asked ?? localStorage.getItem(choiceKey) ?? allAccounts;
  const only = accounts.length === 1 ? accounts[0] : undefined;
  const account = isOperator
    ? (only ?? accounts.find(({ id }) => id === chosen) ?? null)
    : session.account;
  const show = (chosenNow: { account?: string; mode?: string }) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...chosenNow }), replace: true });
  const chooseAccount = (id: string | null) => {
    localStorage.setItem(choiceKey, id ?? allAccounts);
    show({ account: id ?? allAccounts });
  };
  const named = accounts.length > 1 ? (account?.id ?? allAccounts) : undefined;
  const modeChoice =
    modeChoices.find((each) => each === askedMode) ?? (livePages.includes(path) ? 'live' : 'both');
  useEffect(() => {
    const missing = {
      ...(named !== undefined && asked !== named && { account: named }),
      // From the overview on, links carry it.
      ...(path === '/' && askedMode === undefined && { mode: modeChoice }),
    };
    if (Object.keys(missing).length > 0) show(missing);
  });
  const accountId = isOperator ? (account?.id ?? null) : session.user.account_id;
  // Until the accounts are known, nothing is asked for: it would be asked for again.
  if (isOperator && read.isPending) return null;
  return (
    <PlaceContext
      value={{
        session,
        mayChange,
        accountId,
        account,
        accounts,
        chooseAccount,
        mode: modeChoice === 'both' ? undefined : modeChoice,
        modeChoice,
        chooseMode: (mode) => show({ mode }),
      }}
    >
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
