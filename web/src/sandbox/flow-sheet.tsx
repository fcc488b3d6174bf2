import { TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { type FilledRow, flowAnswer } from './filled-in.ts';
import { FormSheet, type SheetProps } from './form-sheet.tsx';

interface FlowSheetProps extends SheetProps {
  readonly title: string;
  readonly onSend: (answer: Record<string, unknown>) => void;
}

/** The form of a flow. The simulator does not know its fields, so the user names them. */
export function FlowSheet({ title, onSend, ...sheet }: FlowSheetProps) {
  const [rows, setRows] = useState<readonly FilledRow[]>([{ name: '', value: '' }]);
  const change = (at: number, part: Partial<FilledRow>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <FormSheet
      {...sheet}
      title={title || 'Form'}
      send="Submit"
      onSend={() => onSend(flowAnswer(rows))}
    >
      <p className="small">Name the fields as your flow does, and fill them in.</p>
      {rows.map((row, at) => (
        <div key={`${at}`} className="row" role="group" aria-label={`Field ${at + 1}`}>
          <TextInput
            className="grow"
            aria-label={`Name of field ${at + 1}`}
            placeholder="Name"
            autoComplete="off"
            value={row.name}
            onChange={(event) => change(at, { name: event.currentTarget.value })}
          />
          <TextInput
            className="grow"
            aria-label={`Value of field ${at + 1}`}
            placeholder="Value"
            autoComplete="off"
            value={row.value}
            onChange={(event) => change(at, { value: event.currentTarget.value })}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove field ${at + 1}`}
            disabled={rows.length === 1}
            onClick={() => setRows(rows.filter((_row, index) => index !== at))}
          >
            <IconX size={16} />
          </button>
        </div>
      ))}
      <button
        type="button"
        className="sheet-add row"
        onClick={() => setRows([...rows, { name: '', value: '' }])}
      >
        <IconPlus size={16} aria-hidden="true" />
        Add field
      </button>
    </FormSheet>
  );
}
