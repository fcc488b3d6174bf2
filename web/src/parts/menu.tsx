import { lazyPart, OnceOpened } from './lazy-part.tsx';
import type { MenuPanelProps } from './menu-panel.tsx';
import { useOpener } from './opener.ts';

const MenuPanel = lazyPart(() => import('./menu-panel.tsx'), 'MenuPanel');

/** Loads the code of menus before one is opened. */
export const preloadMenu = MenuPanel.preload;

/** The menu of `useMenu`. */
export function LazyMenu({ isOpen, ...panel }: MenuPanelProps) {
  return (
    <OnceOpened isOpen={isOpen}>
      {(isShown) => <MenuPanel {...panel} isOpen={isShown} />}
    </OnceOpened>
  );
}

/** A button and its menu, whose code is loaded when it is about to be used. */
export const useMenu = () => useOpener('menu', preloadMenu);
