import { tooOldServer } from './server-version.js';

describe('the version of PostgreSQL', () => {
  it.each([
    [180_000, '18beta1'],
    [180_004, '18.4 (Debian 18.4-1.pgdg13+1)'],
    [190_001, '19.1'],
  ])('%s is new enough', (number, name) => {
    expect(tooOldServer({ number, name })).toBeUndefined();
  });

  it.each([
    [170_011, '17.11', '17.11'],
    [150_018, '15.18 (Debian 15.18-0+deb12u1)', '15.18'],
    [90_624, '9.6.24', '9.6.24'],
  ])('%s is too old: one line names what was found and what is needed', (number, name, found) => {
    expect(tooOldServer({ number, name })).toBe(
      `DATABASE_URL names a PostgreSQL ${found}, and Parley needs 18 or later: ` +
        'see docs/self-hosting.md for the packages',
    );
  });
});
