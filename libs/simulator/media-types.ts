/** A kind of message, or of header, that shows a file. */
export type MediaKind = 'audio' | 'document' | 'image' | 'sticker' | 'video';

const megabyte = 1024 * 1024;

const ofKind: ReadonlyArray<readonly [MediaKind, maxBytes: number, types: readonly string[]]> = [
  ['audio', 16 * megabyte, ['audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr', 'audio/ogg']],
  [
    'document',
    100 * megabyte,
    [
      'application/vnd.ms-powerpoint',
      'application/msword',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/pdf',
      'text/plain',
      'application/vnd.ms-excel',
    ],
  ],
  ['image', 5 * megabyte, ['image/jpeg', 'image/png']],
  ['sticker', 500 * 1024, ['image/webp']],
  ['video', 16 * megabyte, ['video/mp4', 'video/3gpp']],
];

/** What the platform takes: by MIME type, what shows such a file and how large it may be. */
export const mediaTypes: ReadonlyMap<string, { kind: MediaKind; maxBytes: number }> = new Map(
  ofKind.flatMap(([kind, maxBytes, types]) => types.map((type) => [type, { kind, maxBytes }])),
);

/** The largest file that it takes. */
export const fileMaxBytes = 100 * megabyte;

/** A MIME type without parameters, in lower case. */
export const essenceOf = (mimeType: string): string =>
  (mimeType.split(';')[0] ?? '').trim().toLowerCase();
