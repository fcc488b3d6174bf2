import { createHash } from 'node:crypto';
import { essenceOf, type MediaKind, mediaTypes } from './media-types.js';

/** What a file holds. */
export interface FileContent {
  size: number;
  sha256: Buffer;
  /** Null for a file that is too large to keep. */
  bytes: Buffer | null;
}

/** A file that the platform keeps. */
export interface MediaFile extends FileContent {
  id: string;
  mimeType: string;
  /** As what it can be sent; null for a file of a type that the platform does not take. */
  kind: MediaKind | null;
}

/** The simulator keeps only size and hash of a larger file, to save memory. */
export const keptMaxBytes = 8 * 1024 * 1024;

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

  store(mimeType: string, content: FileContent): MediaFile {
    const kind = mediaTypes.get(essenceOf(mimeType))?.kind ?? null;
    const file = { id: String(++this.lastId), mimeType, kind, ...content };
    this.files.set(file.id, file);
    this.byteCount += file.bytes?.length ?? 0;
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
    if (file === undefined) return null;
    const { mimeType, bytes } = file;
    const sha256 = createHash('sha256').update(bytes).digest();
    return this.store(mimeType, { size: bytes.length, sha256, bytes });
  }

  find(id: string): MediaFile | null {
    return this.files.get(id) ?? null;
  }

  delete(id: string): boolean {
    this.byteCount -= this.files.get(id)?.bytes?.length ?? 0;
    return this.files.delete(id);
  }
}
