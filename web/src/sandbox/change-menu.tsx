import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { ActionMenu } from '../parts/action-menu.tsx';

interface ChangeMenuProps {
  /** What the message says, so that its button has a name of its own. */
  readonly about: string;
  /** Without it, it cannot be edited. */
  readonly onEdit: (() => void) | null;
  readonly onRevoke: () => void;
}

/** What the sender of a message can still do with it. */
export function ChangeMenu({ about, onEdit, onRevoke }: ChangeMenuProps) {
  return (
    <ActionMenu
      name={`Change “${about}”`}
      icon={IconChevronDown}
      className="icon-button bubble-aside"
    >
      {onEdit && <Menu.Item onClick={onEdit}>Edit…</Menu.Item>}
      <Menu.Item onClick={onRevoke}>Delete for everyone</Menu.Item>
    </ActionMenu>
  );
}
