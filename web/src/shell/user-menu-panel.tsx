import { useMantineColorScheme } from '@mantine/core';
import { IconLock, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { MenuPanel } from '../parts/menu-panel.tsx';
import type { Opened } from '../parts/opener.ts';
import { schemes } from '../parts/schemes.ts';
import { usePlace } from '../session/session.tsx';
import { useSignOut } from '../session/sign-out.ts';

interface UserMenuPanelProps extends Opened {
  readonly onPassword: () => void;
  /** The page changes. */
  readonly onLeave: (() => void) | undefined;
}

/** What the user can do about themselves. */
export function UserMenuPanel({ onPassword, onLeave, ...opened }: UserMenuPanelProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { version } = usePlace().session;
  const signOut = useSignOut();
  return (
    <MenuPanel {...opened} position="top-start" width={232}>
      {(Menu) => (
        <>
          <Menu.Label>Theme</Menu.Label>
          <Menu.RadioGroup
            value={colorScheme}
            onChange={(value) => {
              const scheme = schemes.find((each) => each.value === value);
              if (scheme) setColorScheme(scheme.value);
            }}
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
