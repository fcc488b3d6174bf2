import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeliveryAttempts } from './attempts/delivery-attempts.js';
import { Deliverer } from './deliverer.js';
import type { EventSettlement } from './event-settlement.js';
import { EventsInHand } from './events-in-hand.js';
import type { LeaseAnswer } from './leases/endpoint-leases.js';
import type { EndpointSwitch } from './leases/endpoint-switch.js';
import { LeasedEndpoint } from './leases/leased-endpoint.js';
import type { EndpointWork, LeasedEndpoints } from './leases/leased-endpoints.js';
import type { OpenEvent, OpenEvents } from './open-events.js';

/** When its lease was asked for, so that it never ends. */
const endless = Number.POSITIVE_INFINITY;

/** An endpoint for which more events wait than it may have under way. */
function busyEndpoint(accountId: string): LeasedEndpoint {
  const answer: LeaseAnswer & { term: string } = {
    endpointId: accountId,
    term: '1',
    busy: null,
    busyMs: null,
    refusedMs: null,
    url: 'https://hooks.example',
    isOff: false,
    isFailing: false,
    format: 'parley',
    maxInFlight: 64,
    sealedSecrets: [],
    withheld: [],
  };
  const endpoint = new LeasedEndpoint(answer, endless);
  for (let number = 0; number < 20; number += 1) {
    const id = `${accountId} ${number}`;
    endpoint.buffer.push({ id, endpointId: accountId, accountId, type: '', body: '' } as OpenEvent);
  }
  return endpoint;
}

describe('attempts that may begin together', () => {
  it('begin one in a turn of the event loop for each account, so that sends are not held up', async () => {
    let turn = 0;
    const begunIn: Record<string, number[]> = { one: [], other: [] };
    let work: EndpointWork | undefined;
    const owned = {
      isStopping: true,
      start: (given: EndpointWork) => Promise.resolve(void (work = given)),
    };
    const attempts = {
      make: ({ accountId }: OpenEvent) => {
        begunIn[accountId]?.push(turn);
        return new Promise(() => undefined);
      },
    };
    const deliverer = new Deliverer(
      owned as unknown as LeasedEndpoints,
      new EventsInHand(),
      {} as OpenEvents,
      attempts as unknown as DeliveryAttempts,
      {} as EventSettlement,
      {} as EndpointSwitch,
      {} as never,
    );
    await deliverer.onApplicationBootstrap();
    const counted = (async () => {
      while (turn < 10) {
        await nextTurn();
        turn += 1;
      }
    })();
    for (const accountId of Object.keys(begunIn)) work?.pump(busyEndpoint(accountId));
    await counted;
    // An endpoint that has taken nothing yet has eight attempts at once.
    const eachInItsTurn = [0, 1, 2, 3, 4, 5, 6, 7];
    expect(begunIn).toEqual({ one: eachInItsTurn, other: eachInItsTurn });
  });
});
