import { useMantineColorScheme } from '@mantine/core';
import { IconLock, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../api/account-queries.ts';
import { call } from '../api/client.ts';
import { MenuPanel } from '../parts/menu-panel.tsx';
import type { Opened } from '../parts/opener.ts';
import { noteSession } from '../session/noted-session.ts';
import { usePlace } from '../session/session.tsx';

const schemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

const isScheme = (value: string): value is 'light' | 'dark' | 'auto' =>
  schemes.some((scheme) => scheme.value === value);

interface UserMenuPanelProps extends Opened {
  readonly onPassword: () => void;
  /** The page changes. */
  readonly onLeave: (() => void) | undefined;
}

/** What the user can do about themselves. */
export function UserMenuPanel({ onPassword, onLeave, ...opened }: UserMenuPanelProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { version } = usePlace().session;
  const client = useQueryClient();
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
    <MenuPanel {...opened} position="top-start" width={232}>
      {(Menu) => (
        <>
          <Menu.Label>Theme</Menu.Label>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(value) => isScheme(value) && setColorScheme(value)}
          >
            {schemes.map(({ value, label }) => (
              <Menu.RadioItem key={value} value={value}>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item
            component={Link}
            to="/me"
            leftSection={<IconUserCircle size={16} />}
            onClick={onLeave}
          >
            Your account
          </Menu.Item>
          <Menu.Item leftSection={<IconLock size={16} />} onClick={onPassword}>
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
          <Menu.Divider />
          <Menu.Label>Parley {version}</Menu.Label>
        </>
      )}
    </MenuPanel>
  );
}
