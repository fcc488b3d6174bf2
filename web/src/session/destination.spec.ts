import { describe, expect, it } from '@jest/globals';
import { destinationOf, sendingWords } from './destination.ts';

const demo = { whatsapp_simulated: true };
const real = { whatsapp_simulated: false };

describe('where messages go', () => {
  it.each([
    ['live', real, 'whatsapp', 'Sends to real people through WhatsApp. Charges apply.'],
    [
      'live',
      demo,
      'simulator',
      'The key is live, but the account sends to the simulator: nothing leaves this machine, and nothing is charged.',
    ],
    ['test', real, 'simulator', 'Sends to the simulator, free.'],
    ['test', demo, 'simulator', 'Sends to the simulator, free.'],
  ] as const)('%s, %j: %s', (mode, session, destination, words) => {
    expect(destinationOf(mode, session)).toBe(destination);
    expect(sendingWords(mode, session)).toBe(words);
  });

  it('names charges only where WhatsApp gets the message', () => {
    const charged = (['live', 'test'] as const).flatMap((mode) =>
      [demo, real].filter((session) => sendingWords(mode, session).includes('harges apply')),
    );
    expect(charged).toEqual([real]);
  });
});
