import { hourMs } from '../../../libs/durations/index.ts';
import './calls-chart.css';
import { Link } from '@tanstack/react-router';
import { type PointerEvent, useState } from 'react';
import type { HourlyCalls } from '../api/types.ts';
import { evenTicks } from './even-ticks.ts';
import { amount } from './numbers.ts';

const hourOf = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const short = new Intl.NumberFormat('en-US', { notation: 'compact' });

/** Room for the hours below the bars and for half a number above them. */
const below = 28;
const above = 8;

/** One in this many hours has its name below it. */
const namedEvery = 4;

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

/** Calls of 24 hours as bars, and as a table for those who do not see them. */
export default function CallsChart({ hours, height, keyId }: CallsChartProps) {
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const ticks = evenTicks(Math.max(0, ...hours.map(({ calls }) => calls)));
  const top = ticks.at(-1) ?? 1;
  const floor = height - below;
  const length = (calls: number) => (calls / top) * (floor - above);
  const middle = (index: number) => `${((index + 0.5) / hours.length) * 100}%`;
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * hours.length);
    setPointedAt(Math.min(Math.max(0, index), hours.length - 1));
  };
  const pointed = pointedAt === null ? undefined : hours[pointedAt];
  return (
    <>
      <div
        className="bars"
        aria-hidden="true"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setPointedAt(null)}
      >
        <svg width="100%" height={height}>
          {ticks.map((tick) => (
            <g key={tick}>
              <line x2="100%" y1={floor - length(tick)} y2={floor - length(tick)} />
              <text className="bars-amount" x={-8} y={floor - length(tick)} dy="0.35em">
                {short.format(tick)}
              </text>
            </g>
          ))}
          {pointedAt !== null && (
            <rect className="bars-pointed" x={middle(pointedAt)} y={above} height={floor - above} />
          )}
          {hours.map(({ hour, calls, refused }, index) => (
            <g key={hour}>
              <rect
                className="bars-accepted"
                x={middle(index)}
                y={floor - length(calls - refused)}
                height={length(calls - refused)}
              />
              {refused > 0 && (
                // By keyboard, the word “refused” leads there.
                <Link to="/requests" search={refusedIn(hour, keyId)} tabIndex={-1}>
                  <rect
                    className="bars-refused"
                    x={middle(index)}
                    y={floor - length(calls)}
                    height={length(refused)}
                  />
                </Link>
              )}
              {index % namedEvery === 0 && (
                <text x={middle(index)} y={height - 8}>
                  {hourOf.format(new Date(hour))}
                </text>
              )}
            </g>
          ))}
        </svg>
        {pointed && pointedAt !== null && (
          <div
            className="bars-tip"
            data-side={pointedAt < hours.length / 2 ? 'right' : 'left'}
            style={{ left: middle(pointedAt) }}
          >
            <b>{hourOf.format(new Date(pointed.hour))}</b>
            <TipLine name="Accepted" color="var(--bar)" calls={pointed.calls - pointed.refused} />
            <TipLine name="Refused" color="var(--bar-refused)" calls={pointed.refused} />
          </div>
        )}
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

function TipLine({ name, color, calls }: { name: string; color: string; calls: number }) {
  return (
    <div className="bars-line">
      <i style={{ background: color }} />
      <span>{name}</span>
      <span>{amount(calls)}</span>
    </div>
  );
}
