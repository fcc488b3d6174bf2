import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { HourlyCalls } from '../api/types.ts';
import { amount } from '../parts/numbers.ts';
import { evenTicks } from './even-ticks.ts';

const hourOf = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const short = new Intl.NumberFormat('en-US', { notation: 'compact' });

const series = [
  { name: 'Accepted', color: 'var(--bar)' },
  { name: 'Refused', color: 'var(--bar-refused)' },
];

/** Calls of 24 hours as bars, and as a table for those who do not see them. */
export default function CallsChart({ hours, height }: { hours: HourlyCalls[]; height: number }) {
  const data = hours.map(({ hour, calls, refused }) => ({
    hour: hourOf.format(new Date(hour)),
    Accepted: calls - refused,
    Refused: refused,
  }));
  const ticks = evenTicks(Math.max(...hours.map(({ calls }) => calls)));
  return (
    <>
      <div aria-hidden="true">
        <BarChart
          h={height}
          data={data}
          dataKey="hour"
          type="stacked"
          series={series}
          gridAxis="x"
          strokeDasharray="0"
          tickLine="none"
          maxBarWidth={24}
          barProps={{ isAnimationActive: false }}
          barChartProps={{ accessibilityLayer: false, barCategoryGap: '14%' }}
          xAxisProps={{ interval: 3, tickMargin: 6 }}
          yAxisProps={{
            width: 44,
            allowDecimals: false,
            ticks,
            domain: [0, ticks.at(-1) ?? 1],
            // All of them: one that is left out makes the others uneven.
            interval: 0,
            tickFormatter: (value: number) => short.format(value),
          }}
          valueFormatter={amount}
        />
      </div>
      <div className="unseen">
        <table>
          <caption>Calls by hour</caption>
          <thead>
            <tr>
              <th>Hour</th>
              <th>Accepted</th>
              <th>Refused</th>
            </tr>
          </thead>
          <tbody>
            {hours.map(({ hour, calls, refused }) => (
              <tr key={hour}>
                <td>{hourOf.format(new Date(hour))}</td>
                <td>{calls - refused}</td>
                <td>{refused}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
