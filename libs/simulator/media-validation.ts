import {
  assertString,
  fieldPath,
  isAbsent,
  type JsonObject,
  refuseUnknownKeys,
  schemaString,
} from './checks.js';
import { invalidParameter, invalidValue, missingParameter } from './errors.js';
import type { Strictness } from './options.js';

/** Fields in addition to `id` and `link`: an audio and a sticker have no caption. */
const keys: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['image', new Set(['id', 'link', 'caption'])],
  ['video', new Set(['id', 'link', 'caption'])],
  ['document', new Set(['id', 'link', 'caption', 'filename'])],
  ['audio', new Set(['id', 'link', 'voice'])],
  ['sticker', new Set(['id', 'link'])],
]);
const headerKeys: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['image', new Set(['id', 'link'])],
  ['video', new Set(['id', 'link'])],
  ['document', new Set(['id', 'link', 'filename'])],
]);

export const isMediaType = (type: string): boolean => keys.has(type);

/** Checks the media object of a media message. */
export const validateMedia = (
  media: JsonObject,
  type: string,
  path: string,
  strictness: Strictness,
): void => {
  checkSource(media, type, path);
  schemaString(media, 'caption', path, 1024, strictness);
  checkKeys(media, keys.get(type), path);
};

/** Checks the media object of a header: no caption there, and no audio or sticker. */
export const validateHeaderMedia = (media: JsonObject, type: string, path: string): void => {
  checkSource(media, type, path);
  checkKeys(media, headerKeys.get(type), path);
};

const checkKeys = (
  media: JsonObject,
  known: ReadonlySet<string> | undefined,
  path: string,
): void => {
  if (known !== undefined) refuseUnknownKeys(media, known, path);
  if (!isAbsent(media.filename)) assertString(media.filename, fieldPath(path, 'filename'));
  if (!isAbsent(media.voice) && typeof media.voice !== 'boolean') {
    throw invalidParameter(`Param ${fieldPath(path, 'voice')} must be a boolean.`);
  }
};

// Whether the link can be fetched, and what it holds, is found out after acceptance: the platform
// then reports 131053, which a recipient or a rule of the simulator can stand for.
const checkSource = (media: JsonObject, type: string, path: string): void => {
  const { id, link } = media;
  if (isAbsent(id) && isAbsent(link))
    throw missingParameter(`${type}: one of id, link is required`);
  if (!isAbsent(id) && !isAbsent(link)) {
    throw invalidValue(`${type}: only one of id, link is allowed`);
  }
  if (!isAbsent(id)) {
    assertString(id, fieldPath(path, 'id'));
    if (!/^\d+$/.test(id)) throw invalidValue(`${type}: id is not a media id`);
    return;
  }
  assertString(link, fieldPath(path, 'link'));
  if (!isWebAddress(link))
    throw invalidParameter(`Param ${fieldPath(path, 'link')} is not a valid URI.`);
};

/** Whether the text is an absolute http or https address. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
