import { noDatabase } from './database-mistakes.js';

const url = 'postgres://shop:p%40ss@db.example:5433/parley';

describe('a first connection that fails', () => {
  it.each([
    [{ code: '28P01' }, 'refuses the password of the user shop', false],
    [{ code: '28000', message: 'no pg_hba.conf entry' }, 'does not let the user shop in', false],
    [{ code: '3D000' }, 'has no database parley; make it (createdb parley)', false],
    [{ code: 'ENOTFOUND' }, 'the host db.example is not known', true],
    [{ message: 'The server does not support SSL connections' }, 'speaks no TLS', false],
    [{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'is not trusted', false],
    [{ code: 'ECONNREFUSED' }, 'nothing answers at db.example:5433', true],
    [{ code: '57P03', message: 'it is starting up' }, 'takes no connection (it is starting', true],
    [{ message: 'timeout expired' }, 'does not answer', true],
  ])('%j says what to do', (error, text, mayHeal) => {
    const found = noDatabase(error, url);
    expect(found?.message).toMatch(/^DATABASE_URL: /);
    expect(found?.message).toContain(text);
    expect(found?.message).not.toContain('\n');
    expect(found?.message).not.toMatch(/p@ss|p%40ss/);
    expect(found?.mayHeal).toBe(mayHeal);
  });

  it('for a reason of ours is left as it is', () => {
    expect(noDatabase(new TypeError('x is not a function'), url)).toBeNull();
    expect(noDatabase({ code: '42P01', message: 'relation' }, url)).toBeNull();
  });

  it('names the first of several servers', () => {
    const several = 'postgres://a:b@one:1,two:2/parley';
    expect(noDatabase({ code: 'ECONNREFUSED' }, several)?.message).toContain('at one:1');
  });
});
