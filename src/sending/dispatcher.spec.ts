import { Test } from '@nestjs/testing';
import { pino } from 'pino';
import { Config } from '../config/config.js';
import { LOGGER } from '../logging/logging.module.js';
import { MessageClaims } from '../messages/rows/message-claims.js';
import { DatabaseAvailability } from './database-availability.js';
import { Dispatcher } from './dispatcher.js';
import { HistoryWatch } from './history-watch.js';
import { MessageSending } from './message-sending.js';

const ids = (first: string) => [1, 2, 3, 4].map((number) => `${first}${number}`);

/** A dispatcher with room for four messages; each claim finds nothing, when the test says so. */
async function openDispatcher() {
  const claims: { ids: readonly string[]; finish: () => void }[] = [];
  const claim = (claimed: readonly string[]) =>
    new Promise((resolve) =>
      claims.push({ ids: claimed, finish: () => resolve({ claimed: [], refused: [] }) }),
    );
  const module = await Test.createTestingModule({
    providers: [
      Dispatcher,
      { provide: Config, useValue: { maxInFlight: 4 } },
      { provide: MessageClaims, useValue: { newToken: () => 'token', claim } },
      { provide: MessageSending, useValue: {} },
      {
        provide: DatabaseAvailability,
        useValue: { mayClaimHinted: true, mayClaimDue: true, ask: (task: () => unknown) => task() },
      },
      { provide: HistoryWatch, useValue: { mayClaim: true } },
      { provide: LOGGER, useValue: pino({ enabled: false }) },
    ],
  }).compile();
  const nextClaim = async (count: number) => {
    while (claims.length < count) await new Promise((resolve) => setImmediate(resolve));
    return claims[count - 1];
  };
  return { dispatcher: module.get(Dispatcher), nextClaim };
}

describe('the dispatcher', () => {
  it('takes more hints while a claim of gathered ones is under way', async () => {
    const { dispatcher, nextClaim } = await openDispatcher();
    void dispatcher.takeHint({ waiting: ids('a'), background: [] });
    (await nextClaim(1))?.finish();

    // Four were about a moment ago, so these gather; they fill the room for hints.
    const offered = dispatcher.takeHint({ waiting: ids('b'), background: [] });
    const second = await nextClaim(2);
    expect(second?.ids).toEqual(ids('b'));
    await offered;
    second?.finish();
    await dispatcher.stop();
  });

  it('takes as many found messages as a look may find', async () => {
    const { dispatcher, nextClaim } = await openDispatcher();
    const found = Array.from({ length: 200_000 }, (_, at) => String(at));
    dispatcher.offer('found', found, 'look');
    const claim = await nextClaim(1);
    expect(claim?.ids).toEqual(found.slice(0, 4));
    void dispatcher.stop();
    claim?.finish();
  });

  it('counts no message as in flight while a claim has found none', async () => {
    const { dispatcher } = await openDispatcher();
    let finish = () => {};
    const claimed = dispatcher.claimAndSend(
      4,
      () => new Promise((resolve) => (finish = () => resolve([]))),
    );
    expect([dispatcher.size, dispatcher.free]).toEqual([0, 0]);
    finish();
    await claimed;
    expect([dispatcher.size, dispatcher.free]).toEqual([0, 4]);
  });
});
