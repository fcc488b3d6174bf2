import { GroupRhythm } from './group-rhythm.js';

/** A rhythm whose clock stands still but for what the writes take and `pass` lets go by. */
function quietClock() {
  let now = 1_000;
  const rhythm = new GroupRhythm(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  const write = (size: number, tookMs: number) => rhythm.keep(size, async () => pass(tookMs));
  return { rhythm, pass, write };
}

describe('the rhythm of groups', () => {
  it('lets nobody wait in a quiet moment: at the start, and after writes of a few', async () => {
    const { rhythm, write } = quietClock();
    expect(rhythm.gatherMs).toBe(0);
    await write(3, 5);
    expect(rhythm.gatherMs).toBe(0);
  });

  it('gathers after a busy group for as long as the last write took, a small one too', async () => {
    const { rhythm, write } = quietClock();
    await write(4, 10);
    expect(rhythm.gatherMs).toBe(10);
    await write(1, 3);
    expect(rhythm.gatherMs).toBe(3);
  });

  it('gathers for 12 ms at most, however slow the store', async () => {
    const { rhythm, write } = quietClock();
    await write(100, 4_000);
    expect(rhythm.gatherMs).toBe(12);
  });

  it('is quiet again 50 ms after the last busy group', async () => {
    const { rhythm, pass, write } = quietClock();
    await write(4, 5);
    pass(49);
    expect(rhythm.gatherMs).toBe(5);
    pass(1);
    expect(rhythm.gatherMs).toBe(0);
  });

  it('counts a write that failed, and hands its error on', async () => {
    const { rhythm, pass } = quietClock();
    const failing = rhythm.keep(4, async () => {
      pass(7);
      throw new Error('away');
    });
    await expect(failing).rejects.toThrow('away');
    expect(rhythm.gatherMs).toBe(7);
  });
});
