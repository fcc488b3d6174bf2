import { useSyncExternalStore } from 'react';

/** In which zone times are shown. */
export type Zone = 'local' | 'UTC';

const storedAs = 'parley.zone';
const listeners = new Set<() => void>();
let isUtc = globalThis.localStorage?.getItem(storedAs) === 'UTC';

/** Whether times are shown in UTC; else where the reader is. */
export const isUtcShown = () => isUtc;

/** The zone for all pages; kept in the browser. */
export function showTimesIn(zone: Zone) {
  isUtc = zone === 'UTC';
  globalThis.localStorage?.setItem(storedAs, zone);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The chosen zone. A part that writes times calls it, so that it is drawn again when the zone changes. */
export const useZone = (): Zone => (useSyncExternalStore(subscribe, isUtcShown) ? 'UTC' : 'local');

const nameIn = (timeZoneName: 'short' | 'shortOffset', timeZone?: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZoneName, timeZone })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** `CET`, `GMT-5`, `UTC`: for the head of a column. */
export const zoneName = () => (isUtc ? 'UTC' : nameIn('short'));

/** `Berlin time (CET, UTC+1)`. @param timeZone default: that of the reader. */
export function zoneTitle(timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone) {
  const offset = nameIn('shortOffset', timeZone).replace('GMT', 'UTC');
  const place = timeZone.split('/').at(-1)?.replaceAll('_', ' ');
  if (!timeZone.includes('/')) return offset === 'UTC' ? 'UTC' : `${place} (${offset})`;
  const name = nameIn('short', timeZone);
  return `${place} time (${name.startsWith('GMT') ? '' : `${name}, `}${offset})`;
}
