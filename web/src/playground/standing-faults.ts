import { type Path, type Payload, valueAt } from './payloads.ts';

/** The steps of `sections[0].rows[1].title`, as the API writes it. */
const stepsOf = (path: string): Path =>
  [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));

/** The faults that a change of the payload has not touched. */
export function standingFaults(
  faults: Readonly<Record<string, string>>,
  before: Payload,
  after: Payload,
): Record<string, string> {
  const text = (payload: Payload, path: string) =>
    JSON.stringify(valueAt(payload, stepsOf(path))) ?? '';
  return Object.fromEntries(
    Object.entries(faults).filter(([path]) => text(before, path) === text(after, path)),
  );
}
