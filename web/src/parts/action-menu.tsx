import { type Icon, IconDots } from '@tabler/icons-react';
import { LazyMenu, useMenu } from './menu.tsx';
import type { MenuItems } from './menu-panel.tsx';

interface ActionMenuProps {
  readonly name: string;
  readonly icon?: Icon;
  readonly className?: string;
  readonly children: MenuItems;
}

/** The “…” of a row or a card, or a menu behind another icon. */
export function ActionMenu(props: ActionMenuProps) {
  const { name, icon: Sign = IconDots, className = 'icon-button', children } = props;
  const { opener, opened } = useMenu();
  return (
    <>
      <button {...opener} type="button" className={className} aria-label={name}>
        <Sign size={18} />
      </button>
      <LazyMenu {...opened} isBeforeDialog>
        {children}
      </LazyMenu>
    </>
  );
}
