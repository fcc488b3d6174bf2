import { createHash, randomBytes } from 'node:crypto';

/** A key or secret from before a rotation, and when its overlap ends. */
interface Former<T> {
  readonly secret: T | null;
  readonly until: Date | null;
}

/** A new secret: 32 random bytes behind the prefix that names its kind. */
export function newSecret(prefix: 'sgsec_' | 'whsec_'): string {
  return `${prefix}${randomBytes(32).toString('base64')}`;
}

/** A digest that tells secrets apart. Nobody can guess a secret from it, because secrets are random. */
export const digestOfSecret = (secret: string) =>
  createHash('sha256').update(secret).digest('base64');

/** When the overlap of a secret that is replaced now ends; null without one. */
export function overlapEnd(overlapSeconds: number): Date | null {
  return overlapSeconds > 0 ? new Date(Date.now() + overlapSeconds * 1_000) : null;
}

/** Whether a time is to come, such as the end of an overlap that still runs. */
export const isToCome = (time: Date | null): time is Date =>
  time !== null && time.getTime() > Date.now();

/** The two former ones whose overlaps end last; overlaps that are over keep none. */
export function keepFormer<T>(formers: readonly Former<T>[]): [Former<T>, Former<T>] {
  const now = Date.now();
  const endOf = ({ secret, until }: Former<T>) => (secret === null ? 0 : (until?.getTime() ?? 0));
  const none = { secret: null, until: null };
  const [previous = none, older = none] = formers
    .filter((former) => endOf(former) > now)
    .toSorted((a, b) => endOf(b) - endOf(a));
  return [previous, older];
}
