import { defaultMaxInFlight } from '../../../../src/endpoints/endpoint-limits.ts';
import type { Endpoint, EndpointHealth } from '../../api/types.ts';
import { amount, counted, share } from '../../parts/numbers.ts';
import { duration } from '../../parts/times.ts';

/** How an endpoint is; null: nothing has been tried in 24 hours. */
export type EndpointStanding = 'off' | 'failing' | 'working' | null;

export function standingOf({ disabled_at, health }: Endpoint): EndpointStanding {
  const { last_failure: failure, last_success_at: success } = health;
  if (disabled_at !== null) return 'off';
  if (failure && (success === null || Date.parse(failure.at) > Date.parse(success))) {
    return 'failing';
  }
  return success === null ? null : 'working';
}

/** `98.4 % of 1,234 succeeded, 20 failed` */
export function successWords({ succeeded, failed, waiting }: EndpointHealth): string {
  const count = succeeded + failed;
  if (count === 0) return waiting === 0 ? 'No deliveries' : 'None is finished';
  if (failed === 0) return `100 % of ${amount(count)} succeeded`;
  return `${share(succeeded, count)} of ${amount(count)} succeeded, ${amount(failed)} failed`;
}

/** How many events wait, and for how long; null: none does. */
export function waitingWords(health: EndpointHealth, now: number): string | null {
  const { waiting, oldest_waiting_at: oldest } = health;
  if (waiting === 0) return null;
  if (oldest === null) return `${counted(waiting, 'event')}, due later`;
  return `${counted(waiting, 'event')}, the oldest for ${duration(Math.max(0, now - Date.parse(oldest)))}`;
}

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
