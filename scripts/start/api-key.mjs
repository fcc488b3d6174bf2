import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 34;
const checksumLength = 6;

/** Makes a live API key: prefix, 34 random characters, 6 of checksum, all base62. */
export function createApiKey() {
  const body = `pk_live_${randomBase62(secretLength)}`;
  return body + apiKeyChecksum(body);
}

/** The last six characters of a key: CRC-32 of all before them, in base62 with leading zeros. */
function apiKeyChecksum(body) {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Drops bytes of 248 and above: 62 does not divide 256, and every character must be equally likely. */
function randomBase62(length) {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62];
    }
  }
  return text;
}
