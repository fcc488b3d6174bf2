import type { ListedEndpoint } from '../../api/types.ts';
import { amount, counted, share } from '../../parts/numbers.ts';
import { endpointName } from '../named-endpoint.ts';

/** How long an address may be before the middle of its path is left out. */
const addressMax = 40;

/** `crm.example/hooks/wa`; `crm.example/…/wa` where it is long. What it asks for after `?` is left out. */
export function shortAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  const path = pathname.replace(/\/$/, '');
  const last = path.slice(path.lastIndexOf('/'));
  if (host.length + path.length <= addressMax || last === path) return host + path;
  return `${host}/…${last}`;
}

/** What people call it: the key's own is called by its key. */
export const calledName = ({
  endpoint_name: name,
  api_key_name: keyName,
}: Pick<ListedEndpoint, 'endpoint_name' | 'api_key_name'>) => endpointName(name, keyName);

/** So many endpoints are offered. */
const offeredMax = 3;

/** Endpoints that people may mean by a text: their names begin with it. */
export function namedLike<Named extends Pick<ListedEndpoint, 'endpoint_name' | 'api_key_name'>>(
  endpoints: readonly Named[],
  text: string,
): Named[] {
  const sought = text.trim().toLowerCase();
  if (sought === '') return [];
  return endpoints
    .filter((one) => calledName(one).toLowerCase().startsWith(sought))
    .slice(0, offeredMax);
}

/** `Stock (crm.example/hooks)` */
export const placeWords = (endpoint: ListedEndpoint) =>
  `${calledName(endpoint)} (${shortAddress(endpoint.url)})`;

/** Whether nothing is known of it that would say how it does. */
export const isUnused = ({ health, finished, last_success_at: success }: ListedEndpoint) =>
  health === 'healthy' && finished === 0 && success === null;

/** `98.4 % of 1,000`; what is tried again has not succeeded. */
export function rateWords({ finished, succeeded, retrying }: ListedEndpoint): string {
  const tried = finished + retrying;
  if (tried === 0) return 'No deliveries';
  return `${succeeded === tried ? '100 %' : share(succeeded, tried)} of ${amount(tried)}`;
}

/** What `rateWords` counts. */
export const sampleWords =
  'For each endpoint: the newest 1,000 deliveries of the last 24 hours that are done, and what is tried again';

/** Of the events on their way to an endpoint, so many are counted. */
const onTheirWayMax = 10_000;

/** `281 events wait`; null: none is on its way. */
export function waitingWords({ retrying, waiting }: ListedEndpoint): string | null {
  const count = retrying + waiting;
  if (count === 0) return null;
  const more = count >= onTheirWayMax ? ' or more' : '';
  return `${counted(count, 'event')}${more} ${count === 1 ? 'waits' : 'wait'}`;
}

/** `42 events`, `10,000 events or more`; null: it missed nothing that is known. */
export function missedWords({ missed, missed_is_exact: isExact }: ListedEndpoint): string | null {
  if (missed === 0) return null;
  return `${counted(missed, 'event')}${isExact ? '' : ' or more'}`;
}

/** Those that need attention most, and the chosen one wherever it is. */
export const foldedTo = (
  endpoints: readonly ListedEndpoint[],
  most: number,
  chosen: string | undefined,
) => endpoints.filter(({ endpoint_id: id }, at) => at < most || id === chosen);

/** As the page showed them before, and then those that are new: nothing moves under a pointer when a state changes. */
export const inPlace = (endpoints: readonly ListedEndpoint[], places: readonly string[]) => [
  ...places.flatMap((place) => endpoints.filter(({ endpoint_id: id }) => id === place)),
  ...endpoints.filter(({ endpoint_id: id }) => !places.includes(id)),
];
