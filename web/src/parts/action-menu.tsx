import { Menu } from '@mantine/core';
import { type Icon, IconDots } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';

interface ActionMenuProps {
  readonly name: string;
  readonly icon?: Icon;
  readonly className?: string;
  /** The items. */
  readonly children: ReactNode;
}

/** The “…” of a row or a card, or a menu behind another icon. */
export function ActionMenu(props: ActionMenuProps) {
  const { name, icon: Sign = IconDots, className = 'icon-button', children } = props;
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <Menu>
      <Menu.Target>
        <button ref={opener} type="button" className={className} aria-label={name}>
          <Sign size={18} />
        </button>
      </Menu.Target>
      {/* The chosen item goes away: a dialog that it opens gives the focus back to the opener. */}
      <Menu.Dropdown onClick={() => opener.current?.focus()}>{children}</Menu.Dropdown>
    </Menu>
  );
}
