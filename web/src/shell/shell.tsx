import { useHotkeys } from '@mantine/hooks';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { sessionQuery } from '../api/account-queries.ts';
import type { Session } from '../api/types.ts';
import { preloadDialog } from '../parts/dialog.tsx';
import { FailureState } from '../parts/failure-state.tsx';
import { preloadMenu } from '../parts/menu.tsx';
import { part } from '../parts/missing-part.ts';
import { ModeBadge } from '../parts/status-badge.tsx';
import { useSearch } from '../search/search-button.tsx';
import { forgetTexts, forgetTextsOfOthers } from '../session/kept-texts.ts';
import { noteSession } from '../session/noted-session.ts';
import { SessionPlace, usePlace } from '../session/session.tsx';
import { Mark } from './mark.tsx';
import { Sidebar } from './sidebar.tsx';

// What most visits do not open is not part of the first load.
const SignIn = lazy(part(() => import('./sign-in.tsx')));
const ResetForm = lazy(part(() => import('./reset-form.tsx')));
const RequiredFactor = lazy(part(() => import('./required-factor.tsx')));
const SignedOutDialog = lazy(part(() => import('./signed-out-dialog.tsx')));
const SideDrawer = lazy(part(() => import('./side-drawer.tsx')));

/** Where links lead under which users without a session set a new password. */
const resetPath = '/reset';

/** The one thing that there is to do, without a frame. */
function Alone({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="sign-in-page">
      <div className="sign-in-card stack">
        <div className="row">
          <Mark />
          <h1 style={{ fontSize: 18 }}>{title}</h1>
        </div>
        <Suspense fallback={null}>{children}</Suspense>
      </div>
    </main>
  );
}

/** The frame of every page: sign-in, navigation, and the page itself. */
export function Shell() {
  const session = useQuery(sessionQuery);
  const lastSession = useRef<Session | null>(null);
  const wasSignedOut = useRef(false);
  if (session.data) lastSession.current = session.data;
  useEffect(() => {
    if (session.data === undefined) return;
    noteSession(session.data !== null);
    if (session.data) forgetTextsOfOthers(session.data.user.id);
    // A page that loads without a session may come after a sign-out in another tab.
    else if (!lastSession.current) forgetTexts();
  }, [session.data]);
  const isReset = useLocation({ select: ({ pathname }) => pathname === resetPath });
  if (isReset) {
    return (
      <Alone title="Choose your password">
        <ResetForm />
      </Alone>
    );
  }
  if (session.isError && !lastSession.current) {
    return (
      <main className="sign-in-page">
        <FailureState error={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (session.isPending) return null;
  if (!lastSession.current) {
    return (
      <Alone title="Sign in to Parley">
        <p className="secondary">
          <code>npm start</code> prints the address and the password of the first user.
        </p>
        <SignIn />
      </Alone>
    );
  }
  const { second_factor_required: isRequired, user } = lastSession.current;
  if (isRequired && !user.has_second_factor) {
    // Nothing else can be read, and after a session has ended there is nothing to go back to.
    return session.data === null ? (
      <Alone title="Sign in to Parley">
        <SignIn />
      </Alone>
    ) : (
      <Alone title="Set up a second factor">
        <RequiredFactor />
      </Alone>
    );
  }
  if (session.data === null) wasSignedOut.current = true;
  return (
    <SessionPlace session={lastSession.current}>
      <FramedPage />
      {wasSignedOut.current && (
        <Suspense fallback={null}>
          <SignedOutDialog isOpen={session.data === null} />
        </Suspense>
      )}
    </SessionPlace>
  );
}

/** What any click may open is loaded at the first sign of a user: it must also open when Parley has stopped since. */
function usePreload() {
  useEffect(() => {
    const signs = ['pointermove', 'pointerdown', 'keydown'];
    const load = () => {
      for (const sign of signs) window.removeEventListener(sign, load);
      preloadMenu();
      preloadDialog();
    };
    for (const sign of signs) window.addEventListener(sign, load);
    return () => {
      for (const sign of signs) window.removeEventListener(sign, load);
    };
  }, []);
}

function FramedPage() {
  const { account, mode } = usePlace();
  const [isOpen, setIsOpen] = useState(false);
  const wasOpen = useRef(false);
  if (isOpen) wasOpen.current = true;
  const search = useSearch();
  usePreload();
  useHotkeys([['/', () => document.querySelector<HTMLElement>('main .search input')?.focus()]]);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <aside className="frame-side" aria-label="Sidebar">
        <Sidebar onSearch={search.open} />
      </aside>
      <header className="frame-bar row">
        <Mark />
        <span className="grow cut">{account?.name ?? 'Parley'}</span>
        {mode && <ModeBadge mode={mode} />}
        <button
          type="button"
          className="icon-button"
          aria-label="Search"
          aria-haspopup="dialog"
          onClick={search.open}
        >
          <IconSearch size={20} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Open the menu"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(true)}
        >
          <IconMenu2 size={20} />
        </button>
      </header>
      {wasOpen.current && (
        <Suspense fallback={null}>
          <SideDrawer isOpen={isOpen} onClose={() => setIsOpen(false)} onSearch={search.open} />
        </Suspense>
      )}
      <main className="frame-main" id="content" tabIndex={-1}>
        <Outlet />
      </main>
      {search.dialog}
    </div>
  );
}
