import type { MappedVariable, Template } from '../api/types.ts';
import { componentsOf, type ParameterPlace } from '../phone/template-parameters.ts';
import { objectsAt, type Payload, type PlaygroundType, textAt, valueAt } from './payloads.ts';

/** What a template message is filled by. */
export interface TemplateFilling {
  readonly template: Template | undefined;
  readonly variables: Readonly<Record<string, MappedVariable>> | undefined;
}

/**
 * Roughly what would go to WhatsApp, for the preview while the user types. What would go there
 * exactly is up to the API.
 */
export function platformShape(
  type: PlaygroundType,
  payload: Payload,
  filling: TemplateFilling,
): Payload {
  const text = (name: string) => textAt(payload, [name]);
  if (type === 'text') return { type, text: { body: text('body') } };
  if (type === 'media') {
    const kind = text('type') || 'image';
    const content = { link: text('link'), caption: text('caption'), filename: text('filename') };
    return { type: kind, [kind]: content };
  }
  if (type === 'template') {
    return {
      type,
      template: { name: text('template_name'), components: valueAt(payload, ['components']) },
    };
  }
  if (type === 'template_send') {
    return {
      type: 'template',
      template: { name: text('template_name'), components: filledComponents(payload, filling) },
    };
  }
  const header = valueAt(payload, ['header']);
  return {
    type: 'interactive',
    interactive: {
      type,
      header: typeof header === 'string' ? { type: 'text', text: header } : header,
      body: { text: text('body') },
      footer: { text: text('footer') },
      action:
        type === 'list'
          ? { button: text('button'), sections: valueAt(payload, ['sections']) }
          : { buttons: objectsAt(payload, ['buttons']).map((reply) => ({ reply })) },
    },
  };
}

function filledComponents(payload: Payload, { template, variables }: TemplateFilling) {
  const values = new Map(
    Object.entries(variables ?? {}).map(([name, variable]) => [
      placeOf(variable, template),
      textAt(payload, ['variables', name]) || (variable.default ?? ''),
    ]),
  );
  return componentsOf(
    (template?.parameters ?? []).map((place) => ({ place, value: values.get(place) ?? '' })),
  );
}

/** The place that a variable of a mapping fills. */
function placeOf(
  variable: MappedVariable,
  template: Template | undefined,
): ParameterPlace | undefined {
  const { component, position, parameter_name: name, button_index: button } = variable;
  return template?.parameters.find(
    (place) =>
      place.component === component &&
      (component !== 'button' || place.button_index === (button ?? place.button_index)) &&
      (name ? place.parameter_name === name : place.position === (position ?? 1)),
  );
}
