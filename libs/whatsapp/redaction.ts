/** How much of a platform's text is kept, in bytes of UTF-8. */
const maxTextBytes = 4096;

/** Removes an access token from a text. The platform repeats malformed tokens in its error messages. */
export function redact(text: string, accessToken: string): string {
  return accessToken === '' ? text : text.replaceAll(accessToken, '[token]');
}

/** The beginning of a text, at most 4 KiB. Redact first: a token cut in half is no longer found. */
export function excerpt(text: string): string {
  const start = text.slice(0, maxTextBytes);
  if (Buffer.byteLength(start) <= maxTextBytes) {
    return start;
  }
  // A character cut in half decodes to U+FFFD.
  return Buffer.from(start)
    .subarray(0, maxTextBytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}
