import { IconCalendar } from '@tabler/icons-react';
import { lazyPart, OnceOpened } from '../parts/lazy-part.tsx';
import { useOpener } from '../parts/opener.ts';
import { noTime, ranges, timeWords } from '../parts/time-range.ts';
import { showTimesIn, useZone, zoneTitle } from '../parts/zone.ts';
import type { TimeRangeBarProps } from './time-popover.tsx';

const TimePopover = lazyPart(() => import('./time-popover.tsx'), 'TimePopover');

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
            onClick={() => onChange({ ...noTime, range: range === id ? undefined : id })}
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

function CustomRange(props: TimeRangeBarProps) {
  const { choice } = props;
  const { opener, opened } = useOpener('dialog', TimePopover.preload);
  const isCustom = Boolean(choice.from || choice.to);
  return (
    <>
      <button {...opener} type="button" className="row" aria-pressed={isCustom}>
        <IconCalendar size={15} aria-hidden="true" />
        {isCustom ? timeWords(choice) : 'Custom'}
      </button>
      <OnceOpened isOpen={opened.isOpen}>
        {(isOpen) => <TimePopover {...props} opened={{ ...opened, isOpen }} />}
      </OnceOpened>
    </>
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
