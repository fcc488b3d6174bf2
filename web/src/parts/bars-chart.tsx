import './bars-chart.css';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type PointerEvent, useState } from 'react';
import { evenTicks } from './even-ticks.ts';
import { amount } from './numbers.ts';

const short = new Intl.NumberFormat('en-US', { notation: 'compact' });

/** Room for the times below the bars and for half a number above them. */
const below = 28;
const above = 8;

/** One of the amounts that a bar consists of. */
export interface BarPart {
  readonly name: string;
  readonly color: string;
  readonly value: number;
  /** What a click on it opens. */
  readonly link?: Pick<LinkProps, 'to' | 'search'>;
}

/** What one bar shows. */
export interface Bar {
  /** Its beginning, in ISO 8601. */
  readonly at: string;
  /** Its time in words. */
  readonly time: string;
  /** From the floor up. */
  readonly parts: readonly BarPart[];
  /** An amount to compare the whole bar with. */
  readonly before?: number;
}

interface BarsChartProps {
  readonly bars: readonly Bar[];
  /** What the bars are, for those who do not see them. */
  readonly caption: string;
  /** What the times are called there, such as `Hour`. */
  readonly timeName: string;
  /** In pixels. */
  readonly height: number;
  /** One in this many bars has a name below it. */
  readonly namedEvery: number;
  readonly nameOf: (bar: Bar) => string;
}

export const beforeName = 'The time before';

const sumOf = (parts: readonly BarPart[]) => parts.reduce((sum, { value }) => sum + value, 0);

/** Amounts of equal times as bars, and as a table for those who do not see them. */
export function BarsChart(props: BarsChartProps) {
  const { bars, height, namedEvery, nameOf } = props;
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const highest = Math.max(
    0,
    ...bars.map(({ parts, before = 0 }) => Math.max(sumOf(parts), before)),
  );
  const ticks = evenTicks(highest);
  const top = ticks.at(-1) ?? 1;
  const floor = height - below;
  const length = (value: number) => (value / top) * (floor - above);
  const middle = (index: number) => `${((index + 0.5) / bars.length) * 100}%`;
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * bars.length);
    setPointedAt(Math.min(Math.max(0, index), bars.length - 1));
  };
  const pointed = pointedAt === null ? undefined : bars[pointedAt];
  return (
    <>
      <div
        className="bars"
        aria-hidden="true"
        style={{ '--bars': bars.length } as React.CSSProperties}
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
          {bars.map((bar, index) => (
            <g key={bar.at}>
              {bar.parts.map((part, position) => (
                <PartOfBar
                  key={part.name}
                  part={part}
                  x={middle(index)}
                  y={floor - length(sumOf(bar.parts.slice(0, position + 1)))}
                  height={length(part.value)}
                />
              ))}
              {bar.before !== undefined && (
                <rect
                  className="bars-before"
                  x={middle(index)}
                  y={floor - length(bar.before) - 1}
                  height={2}
                />
              )}
              {index % namedEvery === 0 && (
                <text x={middle(index)} y={height - 8}>
                  {nameOf(bar)}
                </text>
              )}
            </g>
          ))}
        </svg>
        {pointed && pointedAt !== null && (
          <div
            className="bars-tip"
            data-side={pointedAt < bars.length / 2 ? 'right' : 'left'}
            style={{ left: middle(pointedAt) }}
          >
            <b>{pointed.time}</b>
            {pointed.parts.map(({ name, color, value }) => (
              <TipLine key={name} name={name} color={color} value={value} />
            ))}
            {pointed.before !== undefined && (
              <TipLine name={beforeName} color="var(--text-2)" value={pointed.before} />
            )}
          </div>
        )}
      </div>
      <BarsTable {...props} />
    </>
  );
}

interface PartProps {
  readonly part: BarPart;
  readonly x: string;
  readonly y: number;
  readonly height: number;
}

function PartOfBar({ part: { value, color, link }, ...place }: PartProps) {
  if (value === 0) return null;
  const rect = <rect {...place} style={{ fill: color }} />;
  if (!link) return rect;
  // By keyboard, a word beside the chart leads there.
  return (
    <Link {...link} tabIndex={-1}>
      {rect}
    </Link>
  );
}

function BarsTable({ bars, caption, timeName }: BarsChartProps) {
  const hasBefore = bars.some(({ before }) => before !== undefined);
  return (
    <div className="unseen">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th>{timeName}</th>
            {bars[0]?.parts.map(({ name }) => (
              <th key={name}>{name}</th>
            ))}
            {hasBefore && <th>{beforeName}</th>}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ at, time, parts, before }) => (
            <tr key={at}>
              <td>{time}</td>
              {parts.map(({ name, value }) => (
                <td key={name}>{value}</td>
              ))}
              {hasBefore && <td>{before}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TipLine({ name, color, value }: { name: string; color: string; value: number }) {
  return (
    <div className="bars-line">
      <i style={{ background: color }} />
      <span>{name}</span>
      <span>{amount(value)}</span>
    </div>
  );
}
