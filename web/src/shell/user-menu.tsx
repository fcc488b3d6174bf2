import { IconSelector } from '@tabler/icons-react';
import { useState } from 'react';
import { lazyPart, OnceOpened } from '../parts/lazy-part.tsx';
import { useOpener } from '../parts/opener.ts';
import { roleWords } from '../session/role-words.ts';
import { usePlace } from '../session/session.tsx';

const UserMenuPanel = lazyPart(() => import('./user-menu-panel.tsx'), 'UserMenuPanel');
const PasswordDialog = lazyPart(() => import('./password-dialog.tsx'), 'default');

/** Who is signed in, the theme, and the way out. */
export function UserMenu({ onLeave }: { onLeave: (() => void) | undefined }) {
  const { user } = usePlace().session;
  const [isChanging, setIsChanging] = useState(false);
  const { opener, opened } = useOpener('menu', UserMenuPanel.preload);
  return (
    <>
      <button {...opener} type="button" className="side-user row">
        <span className="letter" aria-hidden="true">
          {user.email.slice(0, 2).toUpperCase()}
        </span>
        <span className="grow">
          <span className="cut strong" style={{ display: 'block', fontSize: 13 }}>
            {user.email}
          </span>
          <span className="small" style={{ display: 'block' }}>
            {roleWords[user.role].name}
          </span>
        </span>
        <IconSelector size={16} aria-hidden="true" />
      </button>

      <OnceOpened isOpen={opened.isOpen}>
        {(isOpen) => (
          <UserMenuPanel
            {...opened}
            isOpen={isOpen}
            onPassword={() => setIsChanging(true)}
            onLeave={onLeave}
          />
        )}
      </OnceOpened>
      <OnceOpened isOpen={isChanging}>
        {(isOpen) => (
          <PasswordDialog
            isOpen={isOpen}
            onClose={() => setIsChanging(false)}
            // The entry of the menu that opened it is gone.
            onClosed={() => opened.opener.current?.focus()}
          />
        )}
      </OnceOpened>
    </>
  );
}
