import { dayMs, minuteMs } from '../../../libs/durations/index.ts';
import type { Zone } from './zone.ts';

/** What the text of a field for times means: a moment, or what is wrong with it. */
export interface ReadTime {
  /** ISO 8601. */
  readonly at?: string;
  readonly fault?: string;
  /** Which of two moments it is, where clocks are put back. */
  readonly note?: string;
}

interface FieldOptions {
  /** The zone of the field. */
  readonly zone: Zone;
  /** The moment that the field was filled with, in ISO 8601. The field means this one as long as its text does not change. */
  readonly filledWith?: string | undefined;
}

const digits = (value: number, count = 2) => String(value).padStart(count, '0');

/** `2026-11-22T02:00:00`: a time as the browser's fields for times have it. */
export function fieldTime(at: Date, zone: Zone): string {
  if (zone === 'UTC') return at.toISOString().slice(0, 19);
  const day = [digits(at.getFullYear(), 4), digits(at.getMonth() + 1), digits(at.getDate())];
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => digits(part));
  return `${day.join('-')}T${time.join(':')}`;
}

/** `2026-11-22T02:00`: the same without seconds. */
export const fieldMinute = (at: Date, zone: Zone) => fieldTime(at, zone).slice(0, 16);

/** Reads the text of a field for times. */
export function readField(text: string, { zone, filledWith }: FieldOptions): ReadTime {
  const wall = new Date(`${text}Z`);
  if (text.length < 16 || !isText(wall, text, 'UTC')) return { fault: 'Enter a date and a time.' };
  if (zone === 'UTC') return { at: exactly(text, zone, filledWith) ?? wall.toISOString() };
  // JavaScript takes a time in a gap for a later one, and the first of two equal ones.
  const first = new Date(text);
  if (!isText(first, text, zone)) return { fault: gapText(text) };
  const at = exactly(text, zone, filledWith) ?? first.toISOString();
  const nextDay = new Date(first.getTime() + dayMs);
  const putBackMs = (nextDay.getTimezoneOffset() - first.getTimezoneOffset()) * minuteMs;
  const second = new Date(first.getTime() + putBackMs);
  if (putBackMs <= 0 || !isText(second, text, zone)) return { at };
  const which = Date.parse(at) < second.getTime() ? 'first' : 'second';
  return {
    at,
    note: `Clocks are put back on ${dayOf(text)}, so this time comes twice. This is the ${which} one, ${at.slice(11, 16)} UTC.`,
  };
}

const isText = (at: Date, text: string, zone: Zone) =>
  !Number.isNaN(at.getTime()) && fieldTime(at, zone).startsWith(text.slice(0, 19));

const exactly = (text: string, zone: Zone, filledWith: string | undefined) =>
  filledWith && isText(new Date(filledWith), text, zone) ? filledWith : undefined;

function gapText(text: string): string {
  const next = endOfGap(text);
  const day = dayOf(text);
  const nextDay = dayOf(next) === day ? '' : `${dayOf(next)}, `;
  return `There is no ${text.slice(11)} on ${day}: clocks are put forward. The next time is ${nextDay}${next.slice(11)}.`;
}

/** The first minute after a time in a gap that there is. */
function endOfGap(text: string): string {
  let wall = new Date(`${text.slice(0, 16)}Z`);
  let next: string;
  do {
    wall = new Date(wall.getTime() + minuteMs);
    next = fieldMinute(wall, 'UTC');
  } while (!isText(new Date(next), next, 'local'));
  return next;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const dayOf = (text: string) => dayFormat.format(new Date(`${text.slice(0, 10)}Z`));
