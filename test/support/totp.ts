import { TOTP } from 'otpauth';

/** What an authenticator shows for a secret, now or some steps of 30 s from now. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
