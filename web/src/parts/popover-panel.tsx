import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { Anchor } from './anchor.ts';
import type { Opened } from './opener.ts';

interface PopoverPanelProps extends Opened {
  readonly label: string;
  readonly children: ReactNode;
}

/** A small form at its opener, as a dialog with the focus in it. */
export function PopoverPanel(props: PopoverPanelProps) {
  const { id, opener, isOpen, onChange, label, children } = props;
  return (
    <Popover
      opened={isOpen}
      onChange={onChange}
      position="bottom-start"
      trapFocus
      withRoles={false}
      returnFocus
    >
      <Popover.Target>
        <Anchor opener={opener} />
      </Popover.Target>
      <Popover.Dropdown id={`${id}-dropdown`} role="dialog" aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
