import { Button, Popover, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { knownTextOf } from '../parts/failure-meanings.ts';

interface CodeFilterProps {
  readonly value: string | undefined;
  readonly onChange: (code: string | undefined) => void;
}

/** A code of WhatsApp, or any. */
export function CodeFilter({ value, onChange }: CodeFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const close = (code: string | undefined) => {
    setOpen(false);
    onChange(code);
  };
  const isCode = /^\d{1,6}$/.test(text);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isCode) close(text);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus withRoles={false}>
      <Popover.Target>
        <button
          type="button"
          className="filter-add"
          data-set={value !== undefined}
          aria-expanded={isOpen}
          onClick={() => {
            setText(value ?? '');
            setOpen(!isOpen);
          }}
        >
          {value === undefined ? '+ Error code' : 'Error code'}
          {value !== undefined && <b>{value}</b>}
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Error code">
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
            {value !== undefined && <Button onClick={() => close(undefined)}>Any code</Button>}
            <Button type="submit" variant="filled" disabled={!isCode}>
              Show
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
