import { useState } from 'react';
import { PhoneSheet } from './phone-sheet.tsx';
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
  const rows = list.sections.flatMap((section, at) =>
    section.rows.map((row, index) => ({ ...row, place: `${at} ${index}` })),
  );
  const row = rows.find(({ place }) => place === chosen);
  return (
    <PhoneSheet
      title={list.button}
      name={list.button || 'List'}
      close="Close the list"
      onClose={onClose}
    >
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
    </PhoneSheet>
  );
}
