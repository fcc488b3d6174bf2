import { ValidateBy } from 'class-validator';

/** The first id that is used twice, or null. Ids that are not strings have a rule of their own. */
function repeatedId(ids: unknown[]): string | null {
  const seen = new Set<string>();
  for (const id of ids) {
    if (typeof id !== 'string') continue;
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return null;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function uniqueIds(name: string, idsOf: (value: unknown) => unknown[]): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => repeatedId(idsOf(value)) === null,
      defaultMessage: (args) =>
        `must have unique ids; ${JSON.stringify(repeatedId(idsOf(args?.value)))} is used more than once`,
    },
  });
}

/** The ids of the buttons of a message are unique. */
export function HasUniqueButtonIds(): PropertyDecorator {
  return uniqueIds('hasUniqueButtonIds', (buttons) =>
    listOf(buttons).map((button) => fieldOf(button, 'id')),
  );
}

/** The ids of the rows of a message are unique over all its sections. */
export function HasUniqueRowIds(): PropertyDecorator {
  return uniqueIds('hasUniqueRowIds', (sections) =>
    listOf(sections).flatMap((section) =>
      listOf(fieldOf(section, 'rows')).map((row) => fieldOf(row, 'id')),
    ),
  );
}
