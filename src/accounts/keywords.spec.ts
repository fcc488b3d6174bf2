import { defaultKeywords, keywordsMax } from './default-keywords.js';
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

  it.each([
    ['iptal', 'İptal'],
    ['iptal', 'IPTAL'],
    ['iptal', 'ıptal'],
    ['İPTAL', 'iptal'],
    ['parar promoções', 'PARAR PROMOCOES'],
    ['parar promocoes', 'Parar promoções'],
    ['arrêt', 'ARRET'],
    ['stoß', 'STOSS'],
    ['stoß', 'STOẞ'],
    ['διακοπή', 'ΔΙΑΚΟΠΗ'],
    ['στόχος', 'ΣΤΟΧΟΣ'],
    ['стоп', 'СТОП'],
    ['всё', 'ВСЕ'],
    ['wyłącz', 'WYLACZ'],
    ['إيقاف', 'ايقاف'],
    ['إيقاف', 'إيقــاف'],
    ['बंद करें', '  बंद   करें। '],
    ['หยุด', 'หยุด!'],
    ['ストップ', 'ｽﾄｯﾌﾟ'],
    ['해지', '해지'.normalize('NFD')],
    ['opt out', 'Opt\u00a0\u2003\nOUT'],
    ['opt out', 'opt\tout.'],
    ['stop', 's\u200bto\u00adp'],
  ])('%s is the word of who writes %s', (word, text) => {
    expect(saidBy([text], { out: [word], in: [] })).toBe('opted_out');
  });

  it.each([
    ['बंद', 'बद'],
    ['करें', 'करो'],
    ['หยุด', 'หยด'],
    ['が', 'か'],
    ['opt out', 'optout'],
    ['đúng', 'dung'],
  ])('%s is another word than %s', (word, text) => {
    expect(saidBy([text], { out: [word], in: [] })).toBeNull();
  });

  it('is, for new accounts, a word of the languages with the most users', () => {
    const english = 'Stop, STOP ALL, unsubscribe, Opt out, opt-out, Cancel, END, quit, Revoke';
    const others =
      'Baja, SAIR, descadastrar, बंद करें, Berhenti, ايقاف, Stopp, abmelden, ARRET, desabonner, disiscriviti, İptal, СТОП, отписаться';
    for (const text of `${english}, ${others}`.split(', ')) {
      expect([text, saidBy([text], defaultKeywords)]).toEqual([text, 'opted_out']);
    }
    for (const text of ['no', 'não', 'alto', 'nein', 'yes', 'ok', 'the end', 'cancel my order']) {
      expect([text, saidBy([text], defaultKeywords)]).toEqual([text, null]);
    }
    const words = [...defaultKeywords.out, ...defaultKeywords.in].map(keywordOf);
    expect(new Set(words).size).toBe(words.length);
    expect(words).not.toContain(null);
    expect(words.length).toBeLessThanOrEqual(keywordsMax);
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
    expect(keywordOf('  Ünï-Cödé ! ')).toBe('uni-code');
  });
});
