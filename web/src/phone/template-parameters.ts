/** Components of a template message, as WhatsApp's API takes them. */
export type Components = readonly Readonly<Record<string, unknown>>[];

/** A place in a template that a value fills; positions count from 1, buttons from 0. */
export interface ParameterPlace {
  readonly component: string;
  readonly position: number;
  readonly parameter_name?: string | null;
  readonly button_index?: number | null;
  /** `text`, `image`, `video`, `document`, `location`, `url_suffix`, `payload`, `coupon_code`, `flow_token`, `flow_action_data`. */
  readonly kind: string;
}

type Parameter = Readonly<Record<string, unknown>>;

const subTypes: Readonly<Record<string, string>> = {
  url_suffix: 'url',
  payload: 'quick_reply',
  coupon_code: 'copy_code',
  flow_token: 'flow',
  flow_action_data: 'flow',
};

/** What stands together in the one action of a flow's button. */
const isOfFlow = ({ kind }: ParameterPlace) => subTypes[kind] === 'flow';

const isOf = (place: ParameterPlace) => (component: Parameter) =>
  component.type === place.component &&
  (place.component !== 'button' || Number(component.index) === place.button_index);

const parametersOf = (component: Parameter | undefined): Parameter[] =>
  Array.isArray(component?.parameters) ? (component.parameters as Parameter[]) : [];

/** The value at a place; empty when there is none, or none that a line of text can show. */
export function readParameter(components: Components, place: ParameterPlace): string {
  const parameters = parametersOf(components.find(isOf(place)));
  if (isOfFlow(place)) return flowValue(parameters[0]?.action, place.kind);
  const name = place.parameter_name;
  const parameter = name
    ? parameters.find((each) => each.parameter_name === name)
    : parameters[place.position - 1];
  if (!parameter) return '';
  const value = parameter[valueKey(place.kind)];
  if (typeof value === 'string') return value;
  const link = (value as { link?: unknown } | undefined)?.link;
  return typeof link === 'string' ? link : '';
}

function flowValue(action: unknown, kind: string): string {
  const value = (action as Parameter | undefined)?.[kind];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The data of a flow are an object; while they are none, they stay the text that they are. */
function flowEntry(kind: string, value: string): unknown {
  if (kind === 'flow_token') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** The key under which WhatsApp takes a value of a kind. */
function valueKey(kind: string): string {
  return kind === 'url_suffix' ? 'text' : kind;
}

function parameterOf({ kind, parameter_name: name }: ParameterPlace, value: string): Parameter {
  const key = valueKey(kind);
  const isMedia = key === 'image' || key === 'video' || key === 'document';
  return {
    type: key,
    ...(name ? { parameter_name: name } : {}),
    [key]: isMedia ? { link: value } : value,
  };
}

/**
 * The components that fill places with values, in the order of the places. A place between others of
 * its component is written even when its value is empty: those behind it count from there.
 */
export function componentsOf(
  values: readonly { readonly place: ParameterPlace; readonly value: string }[],
): Components {
  const components: { type: string; sub_type?: string; index?: string; parameters: Parameter[] }[] =
    [];
  const places = values.filter(
    ({ place, value }, index) =>
      value !== '' ||
      // WhatsApp wants the button of a flow even when nothing fills it.
      place.kind === 'flow_token' ||
      (!place.parameter_name &&
        values.slice(index + 1).some((other) => other.value !== '' && isSame(other.place, place))),
  );
  for (const { place, value } of places) {
    const index = place.component === 'button' ? String(place.button_index ?? 0) : undefined;
    let component = components.find(
      (each) => each.type === place.component && each.index === index,
    );
    if (!component) {
      component = {
        type: place.component,
        ...(index === undefined ? {} : { sub_type: subTypes[place.kind] ?? 'url', index }),
        parameters: [],
      };
      components.push(component);
    }
    if (!isOfFlow(place)) component.parameters.push(parameterOf(place, value));
    else if (value !== '') {
      const action = component.parameters[0]?.action as object | undefined;
      const next = { ...action, [place.kind]: flowEntry(place.kind, value) };
      component.parameters = [{ type: 'action', action: next }];
    }
  }
  return components;
}

const isSame = (one: ParameterPlace, other: ParameterPlace) =>
  one.component === other.component && (one.button_index ?? null) === (other.button_index ?? null);
