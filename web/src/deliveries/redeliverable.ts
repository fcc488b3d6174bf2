import type { Delivery } from '../api/types.ts';

type Chosen = Pick<Delivery, 'url' | 'status'>;

/** Those of the chosen that can be delivered again, also while they wait for another try; the rest has no address. */
export const redeliverable = <Row extends Chosen>(chosen: readonly Row[]): Row[] =>
  chosen.filter(({ url }) => url !== null);

/** Why some of the chosen are left out; null if none is. */
export function leftOutWords(chosen: readonly Chosen[]): string | null {
  const count = chosen.length - redeliverable(chosen).length;
  return count === 0 ? null : `${count} without a webhook now`;
}

/** Whether some of them would be tried later by themselves. */
export const hasWaiting = (rows: readonly Chosen[]): boolean =>
  rows.some(({ status }) => status === 'retrying' || status === 'pending');
