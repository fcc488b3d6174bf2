import { Drawer } from '@mantine/core';
import { Sidebar } from './sidebar.tsx';

/** The sidebar of narrow windows, over the page. */
export default function SideDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} size={264} position="right">
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Sidebar onLeave={onClose} />
      </Drawer.Content>
    </Drawer.Root>
  );
}
