import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

interface PhoneSheetProps {
  readonly title: string;
  /** What its dialog is called; default: its title. */
  readonly name?: string;
  /** What the button that closes it is called. */
  readonly close: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What comes up from the lower edge of the phone and lies over the conversation. */
export function PhoneSheet({ title, name = title, close, onClose, children }: PhoneSheetProps) {
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    const first = (selector: string) => sheet.current?.querySelector<HTMLElement>(selector);
    (first('form input') ?? first('input, button'))?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    // The backdrop is for the pointer; Escape and the button do the same by keyboard.
    <div
      className="phone-dim"
      onKeyDown={closeOnEscape}
      onPointerDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="phone-sheet" role="dialog" aria-label={name} ref={sheet}>
        <div className="sheet-grab" aria-hidden="true" />
        <div className="sheet-head">
          <button type="button" aria-label={close} onClick={onClose}>
            <IconX size={20} />
          </button>
          <b>{title}</b>
        </div>
        {children}
      </div>
    </div>
  );
}
