import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../access/mode.js';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 34;
const checksumLength = 6;
const form = /^pk_(?:live|test)_[0-9A-Za-z]{40}$/;

/** Characters of the alphabet, each equally likely: bytes that would favour some are dropped. */
function randomText(length: number): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

/** CRC-32 in base62, six characters: a typo is seen, and a scanner recognises a leaked key. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < checksumLength; index += 1) {
    digits = `${alphabet[rest % alphabet.length]}${digits}`;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** A new API key: prefix, 34 random base62 characters (202 bits), checksum. */
export function createApiKey(mode: Mode): string {
  const start = `pk_${mode}_${randomText(randomLength)}`;
  return start + checksum(start);
}

/** Whether a text can be an API key at all. Needs no look-up. */
export function isWellFormedApiKey(text: string): boolean {
  return (
    form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
  );
}

/** The mode that a well-formed key names. */
export function modeOfApiKey(key: string): Mode {
  return key.startsWith('pk_test_') ? 'test' : 'live';
}

/** How a key is shown once it is stored: prefix, first and last four of the random part. */
export function displayOfApiKey(key: string): string {
  const random = key.slice(8, -checksumLength);
  return `${key.slice(0, 8)}${random.slice(0, 4)}…${random.slice(-4)}`;
}

/**
 * The digest under which a key is stored. 202 random bits need no slow hash; the pepper keeps
 * an attacker who can only write to the database from making keys.
 */
export function digestOfApiKey(key: string, pepper: Buffer): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}
