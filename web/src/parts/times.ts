import { dayMs, hourMs, minuteMs, secondMs } from '../../../libs/durations/index.ts';
import { counted } from './numbers.ts';
import { isUtcShown } from './zone.ts';

/** One set of formats for the zone of the reader, one for UTC. */
const formatsIn = (timeZone: 'UTC' | undefined) => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', timeZone ? { ...options, timeZone } : options);
  return {
    clock: format({ timeStyle: 'medium' }),
    day: format({ day: 'numeric', month: 'short' }),
    dayAndYear: format({ day: 'numeric', month: 'short', year: 'numeric' }),
    full: format({ dateStyle: 'medium', timeStyle: 'medium' }),
    toTheMinute: format({ dateStyle: 'medium', timeStyle: 'short' }),
    minute: format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
    year: format({ year: 'numeric' }),
  };
};

const [localFormats, utcFormats] = [formatsIn(undefined), formatsIn('UTC')];
const shown = () => (isUtcShown() ? utcFormats : localFormats);

/** `22 Nov 03:14:07`; `22 Nov 2025 03:14:07` where the year is another one. */
export function rowTime(iso: string): string {
  return `${dayText(iso)} ${shown().clock.format(new Date(iso))}`;
}

/** `22 Nov 03:14` */
export const minuteTime = (iso: string) => rowTime(iso).slice(0, -3);

/** `22 Nov`, or `22 Nov 2025`. */
export function dayText(iso: string): string {
  const at = new Date(iso);
  const { year, day, dayAndYear } = shown();
  return (year.format(at) === year.format(new Date()) ? day : dayAndYear).format(at);
}

/** `22 Nov 03:14:07.120` */
export const exactTime = (iso: string) => `${dayText(iso)} ${clockTime(iso)}`;

/** `03:14` */
export const clockMinute = (iso: string) => shown().clock.format(new Date(iso)).slice(0, -3);

/** `03:14:07.120` */
export const clockTime = (iso: string) =>
  `${shown().clock.format(new Date(iso))}.${String(new Date(iso).getMilliseconds()).padStart(3, '0')}`;

export const dateOf = (iso: string) => shown().dayAndYear.format(new Date(iso));

/** The full time where the reader is, and the same in UTC. */
export const fullTime = (iso: string) =>
  `${localFormats.full.format(new Date(iso))} · ${new Date(iso).toISOString().replace('T', ' ').slice(0, 19)} UTC`;

/** `12 s ago`, `4 min ago`, `18 Nov`. */
export function since(iso: string): string {
  const ageMs = Date.now() - Date.parse(iso);
  if (ageMs < minuteMs) return `${Math.max(0, Math.floor(ageMs / secondMs))} s ago`;
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min ago`;
  if (ageMs < dayMs) return `${Math.floor(ageMs / hourMs)} h ago`;
  const days = Math.floor(ageMs / dayMs);
  return days < 7 ? `${days} ${days === 1 ? 'day' : 'days'} ago` : dayText(iso);
}

/** `23 Dec 2026, 09:12` */
export const dateAndTime = (iso: string) => shown().toTheMinute.format(new Date(iso));

/** `23 Dec 2026, 09:12 UTC` */
export const utcTime = (iso: string) => `${utcFormats.toTheMinute.format(new Date(iso))} UTC`;

/** A text of the server, with its times in UTC as the reader has them. */
export const inOwnZone = (text: string) =>
  text.replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (_, day: string, time: string) =>
    dateAndTime(`${day}T${time}:00Z`),
  );

/** `in less than a minute`, `in 12 minutes`, `in 3 hours`, `in 6 days`. */
export function timeUntil(iso: string): string {
  const leftMs = Date.parse(iso) - Date.now();
  if (leftMs < minuteMs) return 'in less than a minute';
  const minutes = Math.round(leftMs / minuteMs);
  if (minutes < 60) return `in ${counted(minutes, 'minute')}`;
  const hours = Math.round(leftMs / hourMs);
  return hours < 24
    ? `in ${counted(hours, 'hour')}`
    : `in ${counted(Math.round(leftMs / dayMs), 'day')}`;
}

/** Whole days from now, rounded up. */
export const daysUntil = (iso: string) => Math.ceil((Date.parse(iso) - Date.now()) / dayMs);

/** `41 ms`, `1.2 s`, `22 s`, `4 min 58 s`. */
export function duration(ms: number): string {
  if (ms < secondMs) return `${Math.round(ms)} ms`;
  if (ms < 10 * secondMs) return `${(ms / secondMs).toFixed(1)} s`;
  if (ms < minuteMs) return `${Math.round(ms / secondMs)} s`;
  if (ms < hourMs) {
    return `${Math.floor(ms / minuteMs)} min ${Math.floor((ms % minuteMs) / secondMs)} s`;
  }
  return `${Math.floor(ms / hourMs)} h ${Math.floor((ms % hourMs) / minuteMs)} min`;
}

/** `19 Nov, 09:12`: for sentences. */
export const momentText = (iso: string) => shown().minute.format(new Date(iso));
