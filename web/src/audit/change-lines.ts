interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

type Plain = string | number | boolean | null | undefined;

const isPlain = (value: unknown): value is Plain =>
  value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);

/** `rate_limit_per_minute` → `Rate limit per minute` */
function fieldWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shown(value: Plain): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A line for each part of an object that is another one now. */
function partLines(name: string, from: object, to: object): string[] {
  const former = new Map<string, unknown>(Object.entries(from));
  const parts = Object.entries<unknown>({ ...to })
    .map(([part, value]) => [part, { from: former.get(part), to: value }] as const)
    .filter(([, part]) => JSON.stringify(part.from) !== JSON.stringify(part.to));
  return changeLines({ details: Object.fromEntries(parts) }).map(
    (line) => `${fieldWords(name)}: ${line.charAt(0).toLowerCase()}${line.slice(1)}`,
  );
}

/** What an entry changed, a line for each field; empty if there is none. */
export function changeLines({ details }: { readonly details: object }): string[] {
  return Object.entries<unknown>({ ...details }).flatMap(([name, value]) => {
    if (value === 'changed') return [`${fieldWords(name)} changed`];
    if (!isChange(value)) return [];
    if (isObject(value.from) && isObject(value.to)) return partLines(name, value.from, value.to);
    return isPlain(value.from) && isPlain(value.to)
      ? [`${fieldWords(name)} ${shown(value.from)} → ${shown(value.to)}`]
      : [`${fieldWords(name)} changed`];
  });
}
