import { isUUID } from 'class-validator';
import { mediaKinds } from '../../uploads/media-kinds.js';

/**
 * A payload with `media_id` in place of each `id` of a file that is an upload of Parley. WhatsApp's own ids of files are
 * digits, so a UUID is none of them.
 */
export function withOwnMedia<T>(payload: T): T {
  return placed(payload, false) as T;
}

function placed(value: unknown, isFile: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => placed(each, isFile));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]: [string, unknown]) => [
      isFile && name === 'id' && isUUID(field) ? 'media_id' : name,
      placed(
        field,
        mediaKinds.some((kind) => kind === name),
      ),
    ]),
  );
}
