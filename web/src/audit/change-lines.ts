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

/** What an entry changed, a line for each field; empty if there is none. */
export function changeLines({ details }: { readonly details: object }): string[] {
  return Object.entries<unknown>({ ...details }).flatMap(([name, value]) => {
    if (value === 'changed') return [`${fieldWords(name)} changed`];
    if (!isChange(value)) return [];
    return isPlain(value.from) && isPlain(value.to)
      ? [`${fieldWords(name)} ${shown(value.from)} → ${shown(value.to)}`]
      : [`${fieldWords(name)} changed`];
  });
}
