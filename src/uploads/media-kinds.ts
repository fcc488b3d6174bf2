/** What a file can be sent as. */
export const mediaKinds = ['image', 'video', 'audio', 'document', 'sticker'] as const;
export type MediaKind = (typeof mediaKinds)[number];

const mebibyte = 1_048_576;

/** The most bytes of each kind. */
const maxBytes: Readonly<Record<MediaKind, number>> = {
  image: 5 * mebibyte,
  video: 16 * mebibyte,
  audio: 16 * mebibyte,
  document: 100 * mebibyte,
  sticker: 100 * 1_024,
};

const animatedStickerMaxBytes = 500 * 1_024;

/** The largest file of all kinds. */
export const fileMaxBytes = maxBytes.document;

interface FileType {
  readonly kind: MediaKind;
  /** What the first bytes of such a file are recognised as; null where they have no mark. */
  readonly marks: readonly (string | null)[];
}

/** Texts with a mark of their own. */
const textMarks = ['application/xml', 'application/rtf', 'text/vcard', 'text/calendar'];

const zip = 'application/zip';
/** The container of Office's formats until 2003. */
const compound = 'application/x-cfb';
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const powerPoint = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

/**
 * The types that WhatsApp takes:
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media#supported-media-types
 */
const fileTypes: ReadonlyMap<string, FileType> = new Map<string, FileType>([
  ['image/jpeg', { kind: 'image', marks: ['image/jpeg'] }],
  ['image/png', { kind: 'image', marks: ['image/png'] }],
  ['image/webp', { kind: 'sticker', marks: ['image/webp'] }],
  ['video/mp4', { kind: 'video', marks: ['video/mp4', 'video/x-m4v'] }],
  ['video/3gpp', { kind: 'video', marks: ['video/3gpp', 'video/3gpp2', 'video/mp4'] }],
  ['audio/aac', { kind: 'audio', marks: ['audio/aac'] }],
  ['audio/amr', { kind: 'audio', marks: ['audio/amr'] }],
  ['audio/mpeg', { kind: 'audio', marks: ['audio/mpeg'] }],
  ['audio/mp4', { kind: 'audio', marks: ['audio/mp4', 'audio/x-m4a', 'video/mp4'] }],
  ['audio/ogg', { kind: 'audio', marks: ['audio/ogg', 'audio/ogg; codecs=opus', 'audio/opus'] }],
  ['text/plain', { kind: 'document', marks: [null, ...textMarks] }],
  ['application/pdf', { kind: 'document', marks: ['application/pdf'] }],
  ['application/msword', { kind: 'document', marks: [compound] }],
  ['application/vnd.ms-excel', { kind: 'document', marks: [compound] }],
  ['application/vnd.ms-powerpoint', { kind: 'document', marks: [compound] }],
  [word, { kind: 'document', marks: [word, zip] }],
  [excel, { kind: 'document', marks: [excel, zip] }],
  [powerPoint, { kind: 'document', marks: [powerPoint, zip] }],
]);

/** The names of all types, as callers may send them. */
const mimeTypes: readonly string[] = [...fileTypes.keys()];

/** What a file is. */
export interface JudgedFile {
  readonly mimeType: string;
  readonly kind: MediaKind;
  readonly maxBytes: number;
}

/** Why a file is not taken. */
export interface TypeFault {
  readonly fault: string;
}

/**
 * Judges a file by what its header says and by its first bytes.
 * @param told the type that the caller names, in any spelling; `application/octet-stream` and none leave it to the bytes.
 * @param mark what its first bytes are recognised as, or null.
 */
export function judgeFile(told: string, mark: string | null, head: Buffer): JudgedFile | TypeFault {
  const named = told.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isUnsaid = named === '' || named === 'application/octet-stream';
  const mimeType = isUnsaid ? typeOfMark(mark) : named;
  const type = fileTypes.get(mimeType);
  if (!type) {
    return { fault: `${mimeType || 'A file of unknown type'} is not a type that WhatsApp takes` };
  }
  if (!type.marks.includes(mark) || (mimeType === 'text/plain' && head.includes(0))) {
    return { fault: `the file is not ${mimeType}, but ${mark ?? 'something else'}` };
  }
  const { kind } = type;
  return {
    mimeType,
    kind,
    maxBytes: kind === 'sticker' && isAnimated(head) ? animatedStickerMaxBytes : maxBytes[kind],
  };
}

/** The type of a file that nobody has named. Texts and containers of several formats must be named. */
function typeOfMark(mark: string | null): string {
  if (mark === null || mark === zip || mark === compound) return mark ?? '';
  return mimeTypes.find((name) => fileTypes.get(name)?.marks.includes(mark)) ?? mark;
}

/** Whether a WebP moves: its extended header says so in one bit. */
function isAnimated(head: Buffer): boolean {
  return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 0b10) !== 0;
}
