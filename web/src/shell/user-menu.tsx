import { Menu, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { IconLock, IconLogout, IconSelector } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { part } from '../parts/missing-part.ts';
import { noteSession } from '../session/noted-session.ts';
import { usePlace } from '../session/session.tsx';

const PasswordDialog = lazy(part(() => import('./password-dialog.tsx')));

const schemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

const isScheme = (value: string): value is 'light' | 'dark' | 'auto' =>
  schemes.some((scheme) => scheme.value === value);

/** Who is signed in, the theme, and the way out. */
export function UserMenu() {
  const { user } = usePlace().session;
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const client = useQueryClient();
  const [isChanging, setIsChanging] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasChanging = useRef(false);
  if (isChanging) wasChanging.current = true;
  const signOut = useMutation({
    mutationFn: (path: '/session' | '/sessions') => call('DELETE', path),
    onSuccess: () => {
      client.clear();
      noteSession(false);
      // What was on the page belongs to the user who left.
      window.location.reload();
    },
    onError: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  return (
    <>
      <Menu position="top-start" width={232}>
        <Menu.Target>
          <button type="button" className="side-user row" ref={opener}>
            <span className="letter" aria-hidden="true">
              {user.email.slice(0, 2).toUpperCase()}
            </span>
            <span className="grow">
              <span className="cut strong" style={{ display: 'block', fontSize: 13 }}>
                {user.email}
              </span>
              <span className="small" style={{ display: 'block' }}>
                {user.role === 'operator' ? 'Operator' : 'Administrator'}
              </span>
            </span>
            <IconSelector size={16} aria-hidden="true" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Theme</Menu.Label>
          <SegmentedControl
            aria-label="Theme"
            size="xs"
            fullWidth
            mx={8}
            mb={8}
            data={schemes}
            value={colorScheme}
            onChange={(value) => isScheme(value) && setColorScheme(value)}
          />
          <Menu.Divider />
          <Menu.Item leftSection={<IconLock size={16} />} onClick={() => setIsChanging(true)}>
            Change password…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} />}
            onClick={() => signOut.mutate('/session')}
          >
            Sign out
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} />}
            onClick={() => signOut.mutate('/sessions')}
          >
            Sign out everywhere
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {wasChanging.current && (
        <Suspense fallback={null}>
          <PasswordDialog
            isOpen={isChanging}
            onClose={() => setIsChanging(false)}
            // The entry of the menu that opened it is gone.
            onClosed={() => opener.current?.focus()}
          />
        </Suspense>
      )}
    </>
  );
}
