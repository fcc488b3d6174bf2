/** A value as JSON text, which may be no JSON at all. */
export class Raw {
  constructor(readonly text: string) {}
}

/** An object before it is text: unlike JavaScript's, it may hold a name twice. */
export class Members {
  constructor(readonly entries: [name: string, value: Piece][]) {}
}

/** JSON in pieces that can be changed one by one. */
export type Piece = Raw | Members | Piece[];

/** Takes a value apart. */
export function piecesOf(value: unknown): Piece {
  if (Array.isArray(value)) return value.map(piecesOf);
  if (typeof value !== 'object' || value === null) return new Raw(JSON.stringify(value));
  return new Members(Object.entries(value).map(([name, entry]) => [name, piecesOf(entry)]));
}

/** Puts it together again. */
export function textOf(piece: Piece): string {
  if (piece instanceof Raw) return piece.text;
  if (Array.isArray(piece)) return `[${piece.map(textOf).join(',')}]`;
  const members = piece.entries.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`);
  return `{${members.join(',')}}`;
}

/** One change of a body: the place, as one number per level, and what to do there. */
export interface Mutation {
  readonly steps: readonly number[];
  readonly kind: 'replace' | 'remove' | 'add' | 'repeat';
  /** Of an added member. */
  readonly name: string;
  readonly value: Piece;
}

/** Changes a value in place, wherever the steps lead. */
export function mutate(root: Members | Piece[], mutation: Mutation): void {
  let place: Members | Piece[] = root;
  for (const step of mutation.steps) {
    const next: Piece | undefined = childOf(place, step);
    if (next === undefined || next instanceof Raw) return change(place, step, mutation);
    place = next;
  }
  change(place, mutation.steps.at(-1) ?? 0, mutation);
}

function childOf(place: Members | Piece[], step: number): Piece | undefined {
  const children = Array.isArray(place) ? place : place.entries.map(([, value]) => value);
  return children[step % Math.max(1, children.length)];
}

function change(place: Members | Piece[], step: number, { kind, name, value }: Mutation): void {
  const entries: unknown[] = Array.isArray(place) ? place : place.entries;
  const index = step % Math.max(1, entries.length);
  const make = (label: string) => (Array.isArray(place) ? value : [label, value]);
  const label = Array.isArray(place) ? '' : (place.entries[index]?.[0] ?? name);
  if (kind === 'remove') entries.splice(index, 1);
  else if (kind === 'add') entries.push(make(name));
  else if (kind === 'repeat') entries.push(make(label));
  else entries.splice(index, 1, make(label));
}
