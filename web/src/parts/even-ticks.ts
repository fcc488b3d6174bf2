/** Steps that people count in, for whole numbers. */
const steps = [1, 2, 5];

/** The marks of an axis: from nothing to at least the largest value, all the same way apart. */
export function evenTicks(max: number, count = 4): number[] {
  let step = 1;
  for (let at = 0; step * count < max; at++) {
    step = (steps[at % steps.length] ?? 1) * 10 ** Math.floor(at / steps.length);
  }
  const last = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: last + 1 }, (_, at) => at * step);
}
