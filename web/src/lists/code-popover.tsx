import { Button, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { knownTextOf } from '../parts/failure-meanings.ts';
import type { Opened } from '../parts/opener.ts';
import { PopoverPanel } from '../parts/popover-panel.tsx';

export interface CodeFilterProps {
  readonly value: string | undefined;
  readonly onChange: (code: string | undefined) => void;
}

/** Asks for a code, and says what it means. */
export function CodePopover({
  value,
  onChange,
  opened,
}: CodeFilterProps & { readonly opened: Opened }) {
  return (
    <PopoverPanel {...opened} label="Error code">
      <CodeForm
        value={value}
        onChange={(code) => {
          opened.onChange(false);
          onChange(code);
        }}
      />
    </PopoverPanel>
  );
}

function CodeForm({ value, onChange }: CodeFilterProps) {
  const [text, setText] = useState(value ?? '');
  const isCode = /^\d{1,6}$/.test(text);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isCode) onChange(text);
  };
  return (
    <form className="stack" style={{ width: 280 }} onSubmit={submit}>
      <TextInput
        label="WhatsApp’s code"
        inputMode="numeric"
        placeholder="131026"
        value={text}
        onChange={(event) => setText(event.currentTarget.value.trim())}
        error={text !== '' && !isCode && 'must be a number of at most six digits'}
      />
      <p className="small">
        {isCode ? (knownTextOf(text)?.meaning ?? 'Not among the codes that Parley knows') : ' '}
      </p>
      <div className="row question-buttons">
        {value !== undefined && <Button onClick={() => onChange(undefined)}>Any code</Button>}
        <Button type="submit" variant="filled" disabled={!isCode}>
          Show
        </Button>
      </div>
    </form>
  );
}
