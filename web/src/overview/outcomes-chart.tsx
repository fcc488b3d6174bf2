import type { Outcomes } from '../api/types.ts';
import { type Bar, BarsChart, beforeName } from '../parts/bars-chart.tsx';
import { clockMinute, dayText, minuteTime } from '../parts/times.ts';
import { useZone } from '../parts/zone.ts';
import type { OutcomeRange } from './outcome-figures.ts';

/** How the bars of each range are named: one in so many, by the time of day or by the day. */
const naming: Readonly<Record<OutcomeRange, { every: number; name: (at: string) => string }>> = {
  '1h': { every: 3, name: clockMinute },
  '24h': { every: 4, name: clockMinute },
  '7d': { every: 4, name: dayText },
  '30d': { every: 5, name: dayText },
};

const parts = [
  { name: 'Delivered', color: 'var(--bar)' },
  { name: 'Sent, not delivered', color: 'color-mix(in srgb, var(--bar) 40%, var(--card))' },
  { name: 'Failed', color: 'var(--bar-refused)' },
] as const;

interface OutcomesChartProps {
  readonly outcomes: Outcomes;
  readonly range: OutcomeRange;
}

/** What became of the messages of each part of a time, beside as many messages as there were in the time before. */
export function OutcomesChart({ outcomes, range }: OutcomesChartProps) {
  useZone();
  const { every, name } = naming[range];
  const before = outcomes.before?.concluded ? outcomes.before : null;
  const bars = outcomes.steps.map((step, index): Bar => {
    const { from, delivered, failed, concluded } = step;
    const to = outcomes.steps[index + 1]?.from;
    const values = [delivered, Math.max(0, concluded - delivered - failed), failed];
    return {
      at: from,
      time: `${minuteTime(from)} – ${to ? endOf(from, to) : 'now'}`,
      parts: parts.map((part, position) => ({
        ...part,
        value: values[position] ?? 0,
        ...(part.name === 'Failed' && {
          link: { to: '/messages', search: { status: 'failed', from, ...(to && { to }) } },
        }),
      })),
      ...(before && { before: before.steps[index]?.concluded ?? 0 }),
    };
  });
  return (
    <div className="outcomes-chart">
      <div className="legend">
        {[...parts, ...(before ? [{ name: beforeName, color: 'var(--text-2)' }] : [])].map(
          (part) => (
            <span key={part.name} style={{ '--swatch': part.color } as React.CSSProperties}>
              {part.name}
            </span>
          ),
        )}
      </div>
      <BarsChart
        bars={bars}
        caption="Messages, by what became of them"
        timeName="Time"
        height={200}
        namedEvery={every}
        nameOf={({ at }) => name(at)}
      />
    </div>
  );
}

const endOf = (from: string, to: string) =>
  dayText(from) === dayText(to) ? clockMinute(to) : minuteTime(to);
