/** The encodings that somebody can choose, with their names. */
export const encodings = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows, Western Europe',
  'windows-1250': 'Windows, Central Europe',
  'windows-1251': 'Windows, Cyrillic',
  'windows-1253': 'Windows, Greek',
  'windows-1254': 'Windows, Turkish',
  'windows-1255': 'Windows, Hebrew',
  'windows-1256': 'Windows, Arabic',
  macintosh: 'Mac, Western Europe',
  gb18030: 'Chinese (GB 18030)',
  big5: 'Chinese (Big5)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-kr': 'Korean (EUC-KR)',
} as const;

export type Encoding = keyof typeof encodings;

const sampleBytes = 64 * 1024;

/**
 * The encoding of a file. It is read to its end: one letter that is not of UTF-8 decides, wherever it is.
 * @throws Error with words for the user, for a file that is no text.
 */
export async function encodingOf(file: Blob): Promise<Encoding> {
  const sample = new Uint8Array(await file.slice(0, sampleBytes).arrayBuffer());
  const wide = wideEncoding(sample);
  if (wide) return wide;
  if (sample.includes(0)) {
    throw new Error('This is not a text file. In your spreadsheet, save the table as CSV.');
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (!isUtf8(decoder, value)) return 'windows-1252';
      if (done) return 'utf-8';
    }
  } finally {
    await reader.cancel();
  }
}

/** @param bytes the next part of a file; undefined: its end. */
function isUtf8(decoder: TextDecoder, bytes: Uint8Array | undefined): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined });
    return true;
  } catch {
    return false;
  }
}

/** UTF-16, by its mark or by the zeros next to each letter of English. */
function wideEncoding(bytes: Uint8Array): Encoding | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (even === 0 && odd > bytes.length / 4) return 'utf-16le';
  return odd === 0 && even > bytes.length / 4 ? 'utf-16be' : null;
}
