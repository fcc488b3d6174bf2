import { AddressTurns } from './address-turns.js';

describe('work of one address', () => {
  it('runs one after the other, also after failures, and delays no other address', async () => {
    const turns = new AddressTurns();
    const log: string[] = [];
    let finishFirst = () => {};
    const first = turns.run('a', async () => {
      log.push('first begins');
      await new Promise<void>((resolve) => (finishFirst = resolve));
      throw new Error('first fails');
    });
    const second = turns.run('a', async () => {
      log.push('second');
      return 2;
    });
    await turns.run('b', async () => log.push('other'));
    expect(log).toEqual(['first begins', 'other']);
    finishFirst();
    await expect(first).rejects.toThrow('first fails');
    expect(await second).toBe(2);
    expect(log).toEqual(['first begins', 'other', 'second']);
  });
});
