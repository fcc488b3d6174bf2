import { EventsInHand } from './events-in-hand.js';
import type { OpenEvent } from './open-events.js';

const eventOf = (accountId: string, number: number) =>
  ({ id: `${accountId} ${number}`, endpointId: accountId, accountId, body: 'x' }) as OpenEvent;

describe('places for attempts', () => {
  let inHand: EventsInHand;
  beforeEach(() => {
    inHand = new EventsInHand();
  });

  /** Begins as many attempts for an account as there are places. @returns what ends them. */
  function fill(accountId: string): (() => void)[] {
    const ends: (() => void)[] = [];
    while (inHand.mayBegin(accountId, true)) {
      const event = eventOf(accountId, ends.length);
      inHand.read(event);
      ends.push(inHand.begin(event, true));
    }
    return ends;
  }

  it('are three quarters of all for one account, and the others have some left', () => {
    expect(fill('greedy')).toHaveLength(768);
    for (const account of ['a', 'b', 'c', 'd']) expect(fill(account)).toHaveLength(64);
    expect(fill('e')).toHaveLength(0);
  });

  it('are free again when the attempts end', () => {
    for (const end of fill('greedy')) end();
    expect(inHand.load).toBe(0);
    expect(fill('greedy')).toHaveLength(768);
  });

  it('are half of all for endpoints that have taken nothing yet', () => {
    for (let account = 0; inHand.mayBegin(`${account}`, false); account++) {
      const event = eventOf(`${account}`, 0);
      inHand.read(event);
      inHand.begin(event, false);
    }
    expect(inHand.load).toBe(0.5);
  });
});
