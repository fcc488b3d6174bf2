import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ShownList } from './shown-message.ts';

interface ListSheetProps {
  readonly list: ShownList;
  readonly onClose: () => void;
  /** Gets the chosen row. */
  readonly onSend: (row: { id: string; title: string }) => void;
}

/** The rows of a list message, of which the user sends one. */
export function ListSheet({ list, onClose, onSend }: ListSheetProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    sheet.current?.querySelector<HTMLElement>('input, button')?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const rows = list.sections.flatMap((section, at) =>
    section.rows.map((row, index) => ({ ...row, place: `${at} ${index}` })),
  );
  const row = rows.find(({ place }) => place === chosen);
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
      <div className="phone-sheet" role="dialog" aria-label={list.button || 'List'} ref={sheet}>
        <div className="sheet-grab" aria-hidden="true" />
        <div className="sheet-head">
          <button type="button" aria-label="Close the list" onClick={onClose}>
            <IconX size={20} />
          </button>
          <b>{list.button}</b>
        </div>
        <div className="sheet-rows">
          {list.sections.map((section, at) => (
            <div key={`${at}`} role="group" aria-label={section.title || `Section ${at + 1}`}>
              {section.title && <div className="sheet-title">{section.title}</div>}
              {section.rows.map((each, index) => (
                <label key={`${index}`} className="sheet-row spread">
                  <span>
                    {each.title || 'Row'}
                    {each.description && <small>{each.description}</small>}
                  </span>
                  <input
                    type="radio"
                    name="phone-choice"
                    checked={chosen === `${at} ${index}`}
                    onChange={() => setChosen(`${at} ${index}`)}
                  />
                </label>
              ))}
            </div>
          ))}
        </div>
        <button
          type="button"
          className="sheet-send"
          disabled={row === undefined}
          onClick={() => row && onSend(row)}
        >
          Send
        </button>
      </div>
    </div>
  );
}
