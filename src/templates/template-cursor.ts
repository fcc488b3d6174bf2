import { isUUID, ValidateBy } from 'class-validator';

/** The place of a template in a list. */
export interface TemplatePlace {
  readonly name: string;
  readonly language: string;
  readonly id: string;
}

/** The cursor after a template. */
export function cursorAfter({ name, language, id }: TemplatePlace): string {
  return Buffer.from(JSON.stringify([name, language, id])).toString('base64url');
}

/** The place that a cursor marks; null if the cursor is not ours. */
export function placeOf(cursor: string): TemplatePlace | null {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(place) || place.length !== 3) return null;
    const [name, language, id] = place as unknown[];
    const isPlace =
      typeof name === 'string' && typeof language === 'string' && isUUID(id) && isStorable(name);
    return isPlace && isStorable(language) ? { name, language, id: String(id) } : null;
  } catch {
    return null;
  }
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The `next_cursor` of an earlier answer. */
export function IsTemplateCursor(): PropertyDecorator {
  return ValidateBy({
    name: 'isTemplateCursor',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && placeOf(value) !== null,
      defaultMessage: () => 'must be the next_cursor of an earlier answer',
    },
  });
}
