import { Secret } from 'otpauth';
import {
  bareRecoveryCode,
  findTotpStep,
  newRecoveryCodes,
  newTotpSecret,
  totpUri,
} from './totp.js';

/** The secret of RFC 6238, appendix B; its codes have eight digits, of which these are the last six. */
const secret = Secret.fromUTF8('12345678901234567890').base32;

describe('a code of the authenticator', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %d is %s', (seconds, code) => {
    expect(findTotpStep(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
  });

  it.each([
    [-60, null],
    [-30, 37_037_037],
    [30, 37_037_037],
    [60, null],
  ])('counts one step early and late: %d s', (late, step) => {
    expect(findTotpStep(secret, '050471', (1_111_111_111 + late) * 1_000)).toBe(step);
  });

  it('does not count under another secret', () => {
    expect(findTotpStep(newTotpSecret(), '050471', 1_111_111_111_000)).toBeNull();
  });

  it('comes from an entry that names Parley and the user', () => {
    expect(totpUri(secret, 'mia@parley.test')).toBe(
      `otpauth://totp/Parley:mia%40parley.test?issuer=Parley&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('recovery codes', () => {
  it('are ten different ones', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){5}$/);
  });

  it('are read without case, spaces and dashes', () => {
    expect(bareRecoveryCode(' ABCD efgh-2345-6723 ')).toBe('abcdefgh23456723');
  });
});
