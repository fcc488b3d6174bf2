import { Button, Popover, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';
import {
  endsOf,
  fieldTime,
  ranges,
  type TimeChoice,
  timeOfField,
  timeWords,
} from '../parts/time-range.ts';
import { showTimesIn, useZone, zoneTitle } from '../parts/zone.ts';

interface TimeRangeBarProps {
  readonly choice: TimeChoice;
  readonly onChange: (choice: TimeChoice) => void;
}

const none: TimeChoice = { range: undefined, from: undefined, to: undefined };

/** Which time a list shows, and in which zone its times are. */
export function TimeRangeBar({ choice, onChange }: TimeRangeBarProps) {
  const { range } = choice;
  return (
    <div className="time-bar">
      <fieldset className="segments">
        <legend className="unseen">Time</legend>
        {Object.entries(ranges).map(([id, name]) => (
          <button
            key={id}
            type="button"
            aria-pressed={range === id}
            onClick={() => onChange({ ...none, range: range === id ? undefined : id })}
          >
            {name}
          </button>
        ))}
        <CustomRange choice={choice} onChange={onChange} />
      </fieldset>
      <ZoneSwitch />
    </div>
  );
}

function CustomRange({ choice, onChange }: TimeRangeBarProps) {
  const [isOpen, setOpen] = useState(false);
  const isCustom = Boolean(choice.from || choice.to);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus withRoles={false}>
      <Popover.Target>
        <button
          type="button"
          className="row"
          aria-pressed={isCustom}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconCalendar size={15} aria-hidden="true" />
          {isCustom ? timeWords(choice) : 'Custom'}
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Custom time">
        <CustomForm
          choice={choice}
          onChange={(next) => {
            setOpen(false);
            onChange(next);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The two ends. It begins with what the list shows, or else with the last 24 hours. */
function CustomForm({ choice, onChange }: TimeRangeBarProps) {
  const zone = useZone();
  const shown = endsOf(choice.range || choice.from || choice.to ? choice : { range: '24h' });
  const [from, setFrom] = useState(shown.from ? fieldTime(new Date(shown.from)) : '');
  const [to, setTo] = useState(
    shown.to || !shown.from
      ? shown.to
        ? fieldTime(new Date(shown.to))
        : ''
      : fieldTime(new Date()),
  );
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
        <Button onClick={() => onChange(none)}>Clear</Button>
        <Button type="submit" variant="filled" disabled={!ends.from && !ends.to}>
          Show
        </Button>
      </div>
    </form>
  );
}

/** Shows all times where the reader is, or in UTC. */
function ZoneSwitch() {
  const zone = useZone();
  return (
    <div className="zone row">
      {zone === 'local' && <span className="secondary">{zoneTitle()}</span>}
      <fieldset className="segments">
        <legend className="unseen">Times are shown in</legend>
        {(['local', 'UTC'] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={zone === each}
            onClick={() => showTimesIn(each)}
          >
            {each === 'local' ? 'Local' : 'UTC'}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
