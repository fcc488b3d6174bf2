import { isObject, type JsonObject, textOf } from './checks.js';
import { invalidValue } from './errors.js';
import type { MediaFiles } from './media.js';
import { essenceOf } from './media-types.js';
import { isMediaType } from './media-validation.js';

/**
 * Refuses a valid send that names a file of another kind. A file that is not here may have gone to the real platform,
 * which a sandbox cannot know.
 */
export const checkMediaIds = (body: JsonObject, type: string, media: MediaFiles): void => {
  for (const holder of holdersIn(body, type)) {
    const kind = textOf(holder.type);
    const content = holder[kind];
    if (!isMediaType(kind) || !isObject(content) || typeof content.id !== 'string') continue;
    const file = media.find(content.id);
    if (file !== null && file.kind !== kind) throw invalidValue(`${kind}: id is not a media id`);
    if (file !== null && content.voice === true && essenceOf(file.mimeType) !== 'audio/ogg') {
      throw invalidValue('audio: a voice message must be audio/ogg with the codec opus');
    }
  }
};

/** The parts of a message that can have a file: each says its type and has a field of that name. */
const holdersIn = (body: JsonObject, type: string): JsonObject[] => {
  const content = body[type];
  if (type === 'template' && isObject(content)) return parametersIn(content);
  if (type !== 'interactive') return [body];
  return isObject(content) && isObject(content.header) ? [content.header] : [];
};

/** A template's parameters and those of its cards, whose components look the same. */
const parametersIn = (parent: JsonObject): JsonObject[] =>
  objectsIn(parent.components).flatMap(({ parameters, cards }) => [
    ...objectsIn(parameters),
    ...objectsIn(cards).flatMap(parametersIn),
  ]);

const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
