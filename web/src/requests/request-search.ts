import type { RequestFilter } from '../api/request-queries.ts';
import { type Unread, unreadOf } from '../lists/unread-filters.ts';
import { unreadTime } from '../lists/unread-time.ts';
import { idForm } from '../parts/id-form.ts';
import type { TimeChoice } from '../parts/time-range.ts';

/** How requests ended, as the address of the page has it. */
export const results = ['refused', 'accepted'] as const;

/** What the address of the page says; it may hold unknown values. */
export interface RequestSearch {
  readonly q?: string;
  readonly result?: string;
  readonly route?: string;
  readonly status?: string;
  readonly code?: string;
  readonly key?: string;
  readonly mode?: string;
}

/** The id of a request in a text, as the API has it, or undefined. */
export function requestIdIn(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  return /^req_[\da-f]{32}$/.test(id) ? id : undefined;
}

/** The IP address that a text is, or undefined. */
export function addressIn(text: string): string | undefined {
  const address = text.trim();
  const isFour = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(address);
  const isSix =
    address.includes(':') && /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`);
  return isFour || isSix ? address : undefined;
}

/** Whether requests can be found by nothing in the text. */
export const isUnreadText = (text: string | undefined): boolean =>
  Boolean(text) && !addressIn(text ?? '') && !requestIdIn(text ?? '');

/** What of the address narrows nothing, but for the text that is sought. */
export const unreadParts = (
  { result, route, status, code, key, range, from, to }: RequestSearch & TimeChoice,
  filter: RequestFilter,
): Unread[] => [
  ...unreadOf(
    { result, route, status, code, key },
    { ...filter, result: filter.refused, key: filter.key_id },
  ),
  ...unreadTime({ range, from, to }),
];

/** The filter that the address of the page means, without what it does not know. */
export function requestFilter(search: RequestSearch): RequestFilter {
  const { q, result, route, status, code, key, mode } = search;
  const address = q && addressIn(q);
  return {
    ...(address && { address }),
    ...(result === 'refused' && { refused: 'true' }),
    ...(result === 'accepted' && { refused: 'false' }),
    ...(route?.startsWith('/') && { route }),
    ...(status && /^[1-5](?:\d\d|xx)$/.test(status) && { status }),
    ...(code && /^[A-Z_]{1,50}$/.test(code) && { code }),
    ...(key && idForm.test(key) && { key_id: key }),
    ...((mode === 'live' || mode === 'test') && { mode }),
  };
}
