import { Button, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import type { Opened } from '../parts/opener.ts';
import { PopoverPanel } from '../parts/popover-panel.tsx';
import { endsOf, fieldTime, noTime, timeOfField } from '../parts/time-range.ts';
import { useZone, zoneTitle } from '../parts/zone.ts';
import type { TimeRangeBarProps } from './time-range-bar.tsx';

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
  const inField = (time: string | undefined) => (time ? fieldTime(new Date(time)) : '');
  const [from, setFrom] = useState(inField(shown.from));
  // A period that has only a beginning goes on until now.
  const [to, setTo] = useState(inField(shown.to ?? (shown.from && new Date().toISOString())));
  const ends = { from: timeOfField(from), to: timeOfField(to) };
  const isWrong = ends.from !== undefined && ends.to !== undefined && ends.from >= ends.to;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isWrong) onChange({ range: undefined, ...ends });
  };
  const field = { type: 'datetime-local', step: 1 } as const;
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        {...field}
        label="From"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        {...field}
        label="To"
        value={to}
        error={isWrong && 'must be later than “From”'}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <p className="small">{zone === 'UTC' ? 'In UTC.' : `In ${zoneTitle()}.`}</p>
      <div className="row question-buttons">
        <Button onClick={() => onChange(noTime)}>Clear</Button>
        <Button type="submit" variant="filled" disabled={!ends.from && !ends.to}>
          Show
        </Button>
      </div>
    </form>
  );
}
