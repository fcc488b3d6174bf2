import type { MappedVariable } from '../api/types.ts';

type Variables = Readonly<Record<string, MappedVariable>>;

/** The variables of a mapping in details. */
export const variablesOf = (value: unknown): Variables =>
  typeof value === 'object' && value !== null ? (value as Variables) : {};

/** `Body {{1}}, required`; `Button 1, may be left out, otherwise “WELCOME”` */
function placeWords({
  component,
  position,
  parameter_name,
  button_index,
  ...rest
}: MappedVariable) {
  const place =
    component === 'button'
      ? `Button ${(button_index ?? 0) + 1}`
      : component === 'header'
        ? 'Header'
        : 'Body';
  const parameter = parameter_name ?? position;
  return [
    parameter === null || parameter === undefined ? place : `${place} {{${parameter}}}`,
    rest.type && rest.type !== 'text' && `as ${rest.type}`,
    rest.required ? 'required' : 'may be left out',
    rest.default && `otherwise “${rest.default}”`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** A line for each variable: `order_id: Body {{1}}, required`. */
export const variableLines = (variables: Variables): string[] =>
  Object.entries(variables).map(([name, variable]) => `${name}: ${placeWords(variable)}`);

/** A line for each variable of either: what it was and became. */
export function changedVariableLines(from: Variables, to: Variables): string[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.map((name) => {
    const [before, after] = [from[name], to[name]].map((each) => each && placeWords(each));
    if (before === undefined || before === after) {
      const isNew = before === undefined && Object.keys(from).length > 0;
      return `${name}: ${after}${isNew ? ' (added)' : ''}`;
    }
    return after === undefined
      ? `${name}: removed; was ${before}`
      : `${name}: ${before} → ${after}`;
  });
}
