import { hourMs } from '../../../libs/durations/index.ts';
import type { HourlyCalls } from '../api/types.ts';
import { type Bar, BarsChart } from './bars-chart.tsx';
import { clockMinute } from './times.ts';
import { useZone } from './zone.ts';

interface CallsChartProps {
  readonly hours: HourlyCalls[];
  /** In pixels. */
  readonly height: number;
  /** The key whose calls they are; default: all keys. */
  readonly keyId?: string;
}

/** The requests that were refused in an hour. */
const refusedIn = (hour: string, key: string | undefined) => ({
  result: 'refused',
  ...(key && { key }),
  from: new Date(hour).toISOString(),
  to: new Date(Date.parse(hour) + hourMs).toISOString(),
});

/** Calls of 24 hours. */
export default function CallsChart({ hours, height, keyId }: CallsChartProps) {
  useZone();
  const bars = hours.map(
    ({ hour, calls, refused }): Bar => ({
      at: hour,
      time: clockMinute(hour),
      parts: [
        { name: 'Accepted', color: 'var(--bar)', value: calls - refused },
        {
          name: 'Refused',
          color: 'var(--bar-refused)',
          value: refused,
          link: { to: '/requests', search: refusedIn(hour, keyId) },
        },
      ],
    }),
  );
  return (
    <BarsChart
      bars={bars}
      caption="Calls by hour"
      timeName="Hour"
      height={height}
      namedEvery={4}
      nameOf={({ time }) => time}
    />
  );
}
