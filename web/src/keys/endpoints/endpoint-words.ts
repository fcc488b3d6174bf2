import { defaultMaxInFlight } from '../../../../src/endpoints/endpoint-limits.ts';
import type { Endpoint } from '../../api/types.ts';
import { counted, sumOf } from '../../parts/numbers.ts';

const handshakes: Readonly<Record<NonNullable<Endpoint['handshake']>['state'], string>> = {
  answered: 'Challenge answered',
  refused: 'Challenge answered wrongly: is the verify token the one that the program knows?',
  failed: 'No answer to the challenge',
  not_done: 'Not asked for its challenge: it has no verify token',
};

/** What is to be known of an endpoint in WhatsApp's own form; a line each. */
export function whatsappWords({ handshake, left_out: leftOut = 0 }: Endpoint): string[] {
  return [
    ...(handshake ? [handshakes[handshake.state]] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'event')} left out: over 1 MiB`] : []),
  ];
}

/** What an endpoint leaves out, and what it adds; a line each. */
export function filterWords(endpoint: Endpoint): string[] {
  const { statuses, message_types: types, scope, max_in_flight: inFlight } = endpoint;
  const events = endpoint.events ?? [];
  return [
    ...(statuses && events.includes('message.status')
      ? [`Only these statuses: ${statuses.join(', ')}`]
      : []),
    ...(types && events.includes('message.received')
      ? [`Only these types of messages: ${types.join(', ')}`]
      : []),
    ...(scope === 'account' && endpoint.format === 'parley'
      ? ['Whole account: the events of all its keys of this mode']
      : []),
    ...(inFlight === defaultMaxInFlight ? [] : [`At most ${inFlight} at once`]),
  ];
}

/** The API counts at most so many events that wait for an endpoint. */
const countedMax = 10_000;

type Waiting = { readonly health: Pick<Endpoint['health'], 'waiting'> };

/** What becomes of the events that wait for endpoints that end: `281 events wait for it and will not be delivered.` */
export function lostWords(endpoints: readonly Waiting[], whom: string): string {
  const count = sumOf(endpoints.map(({ health }) => ({ count: health.waiting })));
  if (count === 0) return `No event waits for ${whom}.`;
  const more = endpoints.some(({ health }) => health.waiting >= countedMax) ? ' or more' : '';
  const wait = count === 1 ? 'waits' : 'wait';
  return `${counted(count, 'event')}${more} ${wait} for ${whom} and will not be delivered.`;
}
