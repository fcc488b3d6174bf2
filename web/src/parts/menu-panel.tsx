import { Menu, type MenuProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Anchor } from './anchor.ts';
import type { Opened } from './opener.ts';

/** The items; a function gets the components that they are made of, which are loaded with the menu. */
export type MenuItems = ReactNode | ((menu: typeof Menu) => ReactNode);

export interface MenuPanelProps
  extends Opened,
    Pick<MenuProps, 'position' | 'width' | 'closeOnItemClick'> {
  readonly children: MenuItems;
  /** The chosen item opens a dialog, which gives the focus back to the opener. */
  readonly isBeforeDialog?: boolean;
}

/** A menu without its opener. */
export function MenuPanel(props: MenuPanelProps) {
  const { opener, isOpen, children, isBeforeDialog = false, ...menu } = props;
  return (
    <Menu {...menu} opened={isOpen}>
      <Menu.Target>
        <Anchor opener={opener} />
      </Menu.Target>
      <Menu.Dropdown {...(isBeforeDialog && { onClick: () => opener.current?.focus() })}>
        {typeof children === 'function' ? children(Menu) : children}
      </Menu.Dropdown>
    </Menu>
  );
}
