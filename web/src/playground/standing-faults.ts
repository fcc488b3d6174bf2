import { type Path, type Payload, valueAt } from './payloads.ts';

/** The steps of `sections[0].rows[1].title`, as the API writes it. */
const stepsOf = (path: string): Path =>
  [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));

/** Fields beside a field, by its path without the numbers of places, that decide whether it is right. */
const partners: Readonly<Record<string, readonly string[]>> = {
  emoji: ['remove'],
  remove: ['emoji'],
  'flow.id': ['name'],
  'flow.name': ['id'],
  'flow.screen': ['action'],
  'flow.data': ['action', 'screen'],
  'cards.button': ['buttons'],
  'cards.buttons': ['button'],
};

/** The field, and those that decide whether it is right. */
function concerned(path: Path): Path[] {
  const name = path.filter((step) => typeof step === 'string').join('.');
  return [path, ...(partners[name] ?? []).map((partner) => [...path.slice(0, -1), partner])];
}

/** The faults that a change of the payload has not touched. */
export function standingFaults(
  faults: Readonly<Record<string, string>>,
  before: Payload,
  after: Payload,
): Record<string, string> {
  const text = (payload: Payload, path: Path) => JSON.stringify(valueAt(payload, path)) ?? '';
  return Object.fromEntries(
    Object.entries(faults).filter(([path]) =>
      concerned(stepsOf(path)).every((each) => text(before, each) === text(after, each)),
    ),
  );
}
