import { keywordOf, saidBy } from './keywords.js';

const keywords = { out: ['stop', 'Kein Interesse'], in: ['start'] };

describe('a keyword', () => {
  it.each([
    'stop',
    'STOP',
    '  Stop. ',
    '"stop"',
    '¡stop!',
    'stop 🛑',
    'stop ⛔️ ✋🏽',
    'ＳＴＯＰ',
    'kein interesse!',
  ])('is the whole message: %s', (text) => {
    expect(saidBy([text], keywords)).toBe('opted_out');
  });

  it.each([
    "stop, I'm late",
    'non-stop',
    'please stop',
    'stopp',
    '',
    '...',
    's.t.o.p',
    'x'.repeat(10_000),
  ])('is not part of a message: %.20s', (text) => {
    expect(saidBy([text], keywords)).toBeNull();
  });

  it('opts in, and an opt-out comes first', () => {
    expect(saidBy(['Start'], keywords)).toBe('opted_in');
    expect(saidBy(['start', 'stop'], keywords)).toBe('opted_out');
    expect(saidBy(['stop'], { out: [], in: [] })).toBeNull();
  });

  it('is found in ten thousand texts only where nothing but signs surrounds it', () => {
    let seed = 7;
    const next = (max: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % max;
    };
    const signs = [' ', '.', '!', '"', '(', '*', '\n', '🛑', '…'];
    const letters = ['a', 'Z', 'ß', '7', 'é', '中'];
    for (let round = 0; round < 10_000; round += 1) {
      const some = (from: string[], most: number) =>
        Array.from({ length: next(most) }, () => from[next(from.length)]).join('');
      const extra = some(letters, 3);
      const text = `${some(signs, 5)}${next(2) === 0 ? 'sToP' : 'stop'}${extra}${some(signs, 5)}`;
      expect([text, saidBy([text], keywords)]).toEqual([text, extra === '' ? 'opted_out' : null]);
    }
    expect(keywordOf('  Ünï-Cödé ! ')).toBe('ünï-cödé');
  });
});
