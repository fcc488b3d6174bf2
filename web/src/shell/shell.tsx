import { Drawer, Modal } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useRef } from 'react';
import { sessionQuery } from '../api/queries.ts';
import type { Session } from '../api/types.ts';
import { FailureState } from '../parts/failure-state.tsx';
import { SessionPlace, usePlace } from '../session/session.tsx';
import { Mark } from './mark.tsx';
import { Sidebar } from './sidebar.tsx';
import { SignIn } from './sign-in.tsx';

/** The frame of every page: sign-in, navigation, and the page itself. */
export function Shell() {
  const session = useQuery(sessionQuery);
  const lastSession = useRef<Session | null>(null);
  if (session.data) lastSession.current = session.data;
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
      <main className="sign-in-page">
        <div className="sign-in-card stack">
          <div className="row">
            <Mark />
            <h1 style={{ fontSize: 18 }}>Sign in to Parley</h1>
          </div>
          <p className="secondary">
            <code>npm start</code> prints the address and the password of the first user.
          </p>
          <SignIn />
        </div>
      </main>
    );
  }
  return (
    <SessionPlace session={lastSession.current}>
      <FramedPage />
      <Modal
        opened={session.data === null}
        onClose={() => undefined}
        withCloseButton={false}
        title="You are signed out"
      >
        <p className="secondary" style={{ marginBottom: 16 }}>
          The page stays as it is. Sign in to continue.
        </p>
        <SignIn />
      </Modal>
    </SessionPlace>
  );
}

function FramedPage() {
  const { account } = usePlace();
  const [isOpen, drawer] = useDisclosure(false);
  useHotkeys([['/', () => document.querySelector<HTMLElement>('main .search input')?.focus()]]);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <aside className="frame-side" aria-label="Sidebar">
        <Sidebar />
      </aside>
      <header className="frame-bar row">
        <Mark />
        <span className="grow cut">{account?.name ?? 'Parley'}</span>
        <button
          type="button"
          className="icon-button"
          aria-label="Open the menu"
          aria-expanded={isOpen}
          onClick={drawer.open}
        >
          <IconMenu2 size={20} />
        </button>
      </header>
      <Drawer.Root opened={isOpen} onClose={drawer.close} size={264} position="right">
        <Drawer.Overlay />
        <Drawer.Content aria-label="Menu">
          <Sidebar onLeave={drawer.close} />
        </Drawer.Content>
      </Drawer.Root>
      <main className="frame-main" id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
