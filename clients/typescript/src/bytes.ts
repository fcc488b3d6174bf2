import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

// Without Node's own modules, so that the client runs in browsers' engines too: Deno, Bun, workers.

/** A text in UTF-8, or bytes as they are. */
export function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value;
}

/** What is no base64 is empty. */
export function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** SHA-256, in hex. */
export function digestOf(value: string | Uint8Array): string {
  return toHex(sha256(bytesOf(value)));
}

/** HMAC-SHA256 over parts one after the other. */
export function macOf(key: Uint8Array, parts: readonly (string | Uint8Array)[]): Uint8Array {
  const mac = hmac.create(sha256, key);
  for (const part of parts) mac.update(bytesOf(part));
  return mac.digest();
}

/** Takes as long for every difference. */
export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (const [at, byte] of one.entries()) difference |= byte ^ (other[at] ?? 0);
  return difference === 0;
}

/** In hex, from the system's source of random numbers. */
export function randomHex(bytes: number): string {
  return toHex(crypto.getRandomValues(new Uint8Array(bytes)));
}
