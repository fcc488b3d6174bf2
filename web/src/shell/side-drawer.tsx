import { Drawer } from '@mantine/core';
import { Sidebar } from './sidebar.tsx';

interface SideDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSearch: () => void;
}

/** The sidebar of narrow windows, over the page. */
export default function SideDrawer({ isOpen, onClose, onSearch }: SideDrawerProps) {
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} size={264} position="right">
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Sidebar
          onLeave={onClose}
          onSearch={() => {
            onClose();
            onSearch();
          }}
        />
      </Drawer.Content>
    </Drawer.Root>
  );
}
