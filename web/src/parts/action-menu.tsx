import { Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';

/** The “…” of a row or a card. @param children the items */
export function ActionMenu({ name, children }: { name: string; children: ReactNode }) {
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <Menu>
      <Menu.Target>
        <button ref={opener} type="button" className="icon-button" aria-label={name}>
          <IconDots size={18} />
        </button>
      </Menu.Target>
      {/* The chosen item goes away: a dialog that it opens gives the focus back to the opener. */}
      <Menu.Dropdown onClick={() => opener.current?.focus()}>{children}</Menu.Dropdown>
    </Menu>
  );
}
