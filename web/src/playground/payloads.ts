export type Payload = Readonly<Record<string, unknown>>;

/** The way to a value in a payload. */
export type Path = readonly (string | number)[];

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path; undefined when there is none. */
export function valueAt(payload: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      isObject(value) || Array.isArray(value)
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    payload,
  );
}

/** The text at a path; any other value counts as none. */
export function textAt(payload: unknown, path: Path): string {
  const value = valueAt(payload, path);
  return typeof value === 'string' ? value : '';
}

/** The list of objects at a path. */
export function objectsAt(payload: unknown, path: Path): Payload[] {
  const value = valueAt(payload, path);
  return Array.isArray(value) ? value.map((each) => (isObject(each) ? each : {})) : [];
}

/** A template message that is filled the other way from now on; what filled it before is kept for the same template. */
export function filledOtherwise(payload: Payload, before: Payload): Payload {
  const { to, template_name, language, reference } = payload;
  const { components, variables } = before;
  const isSame = before.template_name === template_name && before.language === language;
  return {
    to,
    template_name,
    language,
    ...(components !== undefined && isSame && { components }),
    ...(variables !== undefined && { variables: isSame ? variables : {} }),
    ...(reference !== undefined && { reference }),
  };
}

/** The value with another one at a path; undefined takes the field away. */
export function replaced(value: unknown, path: Path, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : [];
    list[step] = replaced(list[step], rest, next);
    return list;
  }
  const object = isObject(value) ? value : {};
  const changedField = replaced(object[step], rest, next);
  if (changedField !== undefined) return { ...object, [step]: changedField };
  const { [step]: _, ...others } = object;
  return others;
}

/** The JSON as an object; null when it is none. */
export function parsePayload(text: string): Payload | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const printed = (payload: unknown) => JSON.stringify(payload, null, 2);

/** `sections[0].rows[1].title`, as the API writes it. */
export const pathText = (path: Path) =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`,
    '',
  );
