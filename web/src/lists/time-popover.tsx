import { Button } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { fieldTime, type ReadTime, readField } from '../parts/field-time.ts';
import type { Opened } from '../parts/opener.ts';
import { PopoverPanel } from '../parts/popover-panel.tsx';
import { TimeField } from '../parts/time-field.tsx';
import { endsOf, noTime, type TimeChoice } from '../parts/time-range.ts';
import { useZone, zoneTitle } from '../parts/zone.ts';

export interface TimeRangeBarProps {
  readonly choice: TimeChoice;
  readonly onChange: (choice: TimeChoice) => void;
}

/** Asks for the two ends of a time. */
export function TimePopover({
  choice,
  onChange,
  opened,
}: TimeRangeBarProps & { readonly opened: Opened }) {
  return (
    <PopoverPanel {...opened} label="Custom time">
      <CustomForm
        choice={choice}
        onChange={(next) => {
          opened.onChange(false);
          onChange(next);
        }}
      />
    </PopoverPanel>
  );
}

/** The two ends. It begins with what the list shows, or else with the last 24 hours. */
function CustomForm({ choice, onChange }: TimeRangeBarProps) {
  const zone = useZone();
  const shown = endsOf(choice.range || choice.from || choice.to ? choice : { range: '24h' });
  const inField = (time: string | undefined) => (time ? fieldTime(new Date(time), zone) : '');
  const [from, setFrom] = useState(inField(shown.from));
  // A period that has only a beginning goes on until now.
  const [to, setTo] = useState(inField(shown.to ?? (shown.from && new Date().toISOString())));
  // An empty field is no end.
  const read = (text: string, filledWith: string | undefined): ReadTime =>
    text === '' ? {} : readField(text, { zone, filledWith });
  const [fromRead, toRead] = [read(from, shown.from), read(to, shown.to)];
  const ends = { from: fromRead.at, to: toRead.at };
  const isReadable = !fromRead.fault && !toRead.fault && Boolean(from || to);
  const isWrong = ends.from !== undefined && ends.to !== undefined && ends.from >= ends.to;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isReadable && !isWrong) onChange({ range: undefined, ...ends });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TimeField label="From" step={1} value={from} read={fromRead} onChange={setFrom} />
      <TimeField
        label="To"
        step={1}
        value={to}
        read={toRead}
        error={isWrong && 'must be later than “From”'}
        onChange={setTo}
      />
      <p className="small">{zone === 'UTC' ? 'In UTC.' : `In ${zoneTitle()}.`}</p>
      <div className="row question-buttons">
        <Button onClick={() => onChange(noTime)}>Clear</Button>
        <Button type="submit" variant="filled" disabled={!isReadable}>
          Show
        </Button>
      </div>
    </form>
  );
}
