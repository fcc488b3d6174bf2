import { Secret, TOTP } from 'otpauth';

/** Codes of the time step before and after the present one count, too: clocks differ. */
const windowSteps = 1;

/** How many codes a user gets for the day on which the authenticator is lost. */
const recoveryCodeCount = 10;

/** A secret of 160 bits that the server and an authenticator share, in base32. */
export const newTotpSecret = () => new Secret({ size: 20 }).base32;

/** What an authenticator reads from a QR code: the secret, and how the entry is called there. */
export const totpUri = (secret: string, email: string) =>
  new TOTP({ issuer: 'Parley', label: email, secret }).toString();

/**
 * The time step to which a code of six digits belongs (RFC 6238: SHA-1, 30 seconds).
 * @returns null when it is none of the three that count now.
 */
export function findTotpStep(secret: string, code: string, timestamp = Date.now()): number | null {
  const totp = new TOTP({ secret });
  const delta = totp.validate({ token: code, timestamp, window: windowSteps });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** Codes of 120 random bits each, in groups of four letters and digits that nobody mixes up. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    new Secret({ size: 15 }).base32.toLowerCase().replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
}

/** A recovery code as it counts: without the case, spaces and dashes that people add or leave out. */
export const bareRecoveryCode = (code: string) => code.toLowerCase().replaceAll(/[^a-z\d]/g, '');
