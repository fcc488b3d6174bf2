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
const fileMaxBytes = maxBytes.document;

/** Of a form around the largest file. */
export const formMaxBytes = fileMaxBytes + mebibyte;

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
  // WhatsApp takes Ogg with Opus only.
  ['audio/ogg', { kind: 'audio', marks: ['audio/ogg; codecs=opus'] }],
  ['text/plain', { kind: 'document', marks: [null, ...textMarks] }],
  ['application/pdf', { kind: 'document', marks: ['application/pdf'] }],
  ['application/msword', { kind: 'document', marks: [compound] }],
  ['application/vnd.ms-excel', { kind: 'document', marks: [compound] }],
  ['application/vnd.ms-powerpoint', { kind: 'document', marks: [compound] }],
  [word, { kind: 'document', marks: [word, zip] }],
  [excel, { kind: 'document', marks: [excel, zip] }],
  [powerPoint, { kind: 'document', marks: [powerPoint, zip] }],
]);

/** WhatsApp's names of all types. */
const mimeTypes: readonly string[] = [...fileTypes.keys()];

/** Codecs of MP4 and 3GP that WhatsApp does not play, by their names in the file. */
const refusedCodecs: Readonly<Record<string, string>> = {
  hvc1: 'H.265',
  hev1: 'H.265',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
  mp4v: 'MPEG-4 Visual',
  Opus: 'Opus',
  alac: 'ALAC',
  fLaC: 'FLAC',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
};

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
 * @param told the type that the caller names, in any spelling. Where it is none of WhatsApp's names, such as
 * `audio/mp3`, `application/octet-stream` or nothing, the bytes decide, within what it says.
 * @param mark what its first bytes are recognised as, or null.
 */
export function judgeFile(told: string, mark: string | null, head: Buffer): JudgedFile | TypeFault {
  const named = told.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const mimeType = fileTypes.has(named) ? named : typeOfMark(named, mark);
  const type = fileTypes.get(mimeType);
  if (!type) {
    return { fault: `${mimeType || 'A file of unknown type'} is not a type that WhatsApp takes` };
  }
  if (mimeType === 'audio/ogg' && mark === 'audio/ogg') {
    return { fault: 'the file is Ogg without Opus: WhatsApp takes Ogg with Opus only' };
  }
  if (!type.marks.includes(mark) || (mimeType === 'text/plain' && head.includes(0))) {
    return { fault: `the file is not ${mimeType}, but ${mark ?? 'something else'}` };
  }
  const codec =
    mimeType === 'video/mp4' || mimeType === 'video/3gpp' || mimeType === 'audio/mp4'
      ? refusedCodec(head)
      : null;
  if (codec !== null) {
    return { fault: `the file has ${codec}: WhatsApp takes H.264 video and AAC audio` };
  }
  const { kind } = type;
  return {
    mimeType,
    kind,
    maxBytes: kind === 'sticker' && isAnimated(head) ? animatedStickerMaxBytes : maxBytes[kind],
  };
}

/** Families of types that say nothing of what is in a file. */
const vagueFamilies: ReadonlySet<string> = new Set(['', 'application', 'binary']);

/**
 * WhatsApp's name for a file whose told type is none. Texts and containers of several formats must be named.
 * @returns another type, or an empty string, where WhatsApp has no name for it.
 */
function typeOfMark(told: string, mark: string | null): string {
  const family = familyOf(told);
  const isVague = vagueFamilies.has(family);
  if (mark === null || mark === zip || mark === compound) {
    return isVague && told.endsWith('octet-stream') ? (mark ?? '') : told || (mark ?? '');
  }
  // A recorder's audio may be recognised as video, which the told type corrects.
  const found = mimeTypes.find(
    (name) =>
      (isVague || familyOf(name) === family) && fileTypes.get(name)?.marks.includes(mark) === true,
  );
  if (found !== undefined) return found;
  return mark === 'audio/ogg' && (isVague || family === 'audio') ? mark : told || mark;
}

const familyOf = (type: string) => type.split('/', 1)[0] ?? '';

/** The name of a codec that WhatsApp does not play, where the first bytes describe one; else null. */
function refusedCodec(head: Buffer): string | null {
  for (let at = head.indexOf('stsd'); at >= 0; at = head.indexOf('stsd', at + 4)) {
    // Behind the box's name: version, number of entries, size of the first entry, its codec.
    const codec = refusedCodecs[head.toString('latin1', at + 16, at + 20)];
    if (codec !== undefined) return codec;
  }
  return null;
}

/** Whether a WebP moves: its extended header says so in one bit. */
function isAnimated(head: Buffer): boolean {
  return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 0b10) !== 0;
}
