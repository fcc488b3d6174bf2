import { type RefObject, useId, useRef, useState } from 'react';

/** What a menu or popover has to know of the button that opens it. */
export interface Opened {
  readonly id: string;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
}

/**
 * A button and what it opens, whose code is loaded when the pointer or the focus reaches the button.
 * The button gets `opener`, the menu or popover `opened`.
 */
export function useOpener(kind: 'menu' | 'dialog', preload: () => void) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const opened: Opened = { id, opener: button, isOpen, onChange: setIsOpen };
  return {
    opener: {
      ref: button,
      id,
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? `${id}-dropdown` : undefined,
      onPointerEnter: preload,
      onFocus: preload,
      onClick: () => setIsOpen(!isOpen),
    },
    opened,
  };
}
