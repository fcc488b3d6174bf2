import { createHash } from 'node:crypto';

/** A file that the platform keeps. */
export interface MediaFile {
  id: string;
  mimeType: string;
  bytes: Buffer;
  sha256: Buffer;
}

const filesMax = 200;
const bytesMax = 64 * 1024 * 1024;

/** One transparent pixel: what users "photograph" here. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const inboundFiles: ReadonlyMap<string, { mimeType: string; bytes: Buffer }> = new Map([
  ['image', { mimeType: 'image/png', bytes: onePixel }],
  ['sticker', { mimeType: 'image/webp', bytes: onePixel }],
  ['audio', { mimeType: 'audio/ogg; codecs=opus', bytes: Buffer.from('OggS') }],
  ['video', { mimeType: 'video/mp4', bytes: Buffer.from('\0\0\0\x18ftypmp42', 'latin1') }],
  ['document', { mimeType: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') }],
]);

/** Uploaded files and those that users sent; the oldest go when there are too many. */
export class MediaFiles {
  private readonly files = new Map<string, MediaFile>();
  private byteCount = 0;
  private lastId = 985_569_392_610_000;

  store(mimeType: string, bytes: Buffer): MediaFile {
    const file = {
      id: String(++this.lastId),
      mimeType,
      bytes,
      sha256: createHash('sha256').update(bytes).digest(),
    };
    this.files.set(file.id, file);
    this.byteCount += bytes.length;
    for (const [id, oldest] of this.files) {
      if (this.files.size <= filesMax && this.byteCount <= bytesMax) break;
      if (id !== file.id) this.delete(oldest.id);
      else break;
    }
    return file;
  }

  /** A small file of a message type that carries one, or null for the other types. */
  storeInbound(type: string): MediaFile | null {
    const file = inboundFiles.get(type);
    return file === undefined ? null : this.store(file.mimeType, file.bytes);
  }

  find(id: string): MediaFile | null {
    return this.files.get(id) ?? null;
  }

  delete(id: string): boolean {
    this.byteCount -= this.files.get(id)?.bytes.length ?? 0;
    return this.files.delete(id);
  }
}

/** The fields and the file of an upload; null when it is no form or has no file. */
export const readUpload = (
  contentType: string | undefined,
  raw: Buffer,
): { fields: Map<string, string>; mimeType: string; bytes: Buffer } | null => {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType ?? '')?.[1];
  if (boundary === undefined) return null;
  const fields = new Map<string, string>();
  let file: { mimeType: string; bytes: Buffer } | null = null;
  const delimiter = Buffer.from(`--${boundary}`);
  let start = raw.indexOf(delimiter);
  while (start >= 0) {
    const end = raw.indexOf(delimiter, start + delimiter.length);
    if (end < 0) break;
    const part = raw.subarray(start + delimiter.length + 2, end - 2);
    const headEnd = part.indexOf('\r\n\r\n');
    const head = part.subarray(0, Math.max(0, headEnd)).toString('utf8');
    const bytes = part.subarray(headEnd + 4);
    const name = /name="([^"]*)"/.exec(head)?.[1] ?? '';
    if (/filename="/.test(head)) {
      const mimeType = /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? 'application/octet-stream';
      file = { mimeType, bytes: Buffer.from(bytes) };
    } else fields.set(name, bytes.toString('utf8'));
    start = end;
  }
  return file === null ? null : { fields, ...file };
};
