import type { MappedVariable, Template, TemplateParameter } from '../api/types.ts';
import { componentsOf } from '../phone/template-parameters.ts';
import { type MessageKind, type TemplateFilling, to } from './message-kind.ts';
import { type Payload, textAt, valueAt } from './payloads.ts';

const template: MessageKind = {
  path: 'template',
  fields: ['template_name', 'language', 'components'],
  sample: { to, template_name: '', language: '' },
  shape: ({ template_name, components }) => ({
    type: 'template',
    template: { name: template_name, components },
  }),
  read: (sent) => ({
    template_name: valueAt(sent, ['template', 'name']),
    language: valueAt(sent, ['template', 'language', 'code']),
    components: valueAt(sent, ['template', 'components']),
  }),
};

const templateSend: MessageKind = {
  ...template,
  path: 'template/send',
  fields: ['template_name', 'language', 'variables'],
  sample: { ...template.sample, variables: {} },
  shape: (payload, filling) =>
    template.shape({ ...payload, components: filledComponents(payload, filling) }, filling),
};

/** What WhatsApp has approved: by its components, and by the names of a key's mapping. */
export const templateKinds = { template, template_send: templateSend };

function filledComponents(payload: Payload, { template: chosen, variables }: TemplateFilling) {
  const values = new Map(
    Object.entries(variables ?? {}).map(([name, variable]) => [
      placeOf(variable, chosen),
      textAt(payload, ['variables', name]) || (variable.default ?? ''),
    ]),
  );
  return componentsOf(
    (chosen?.parameters ?? []).map((place) => ({ place, value: values.get(place) ?? '' })),
  );
}

/** The place that a variable of a mapping fills. */
export function placeOf(
  variable: MappedVariable,
  chosen: Template | undefined,
): TemplateParameter | undefined {
  const { component, position, parameter_name: name, button_index: button } = variable;
  return chosen?.parameters.find(
    (place) =>
      place.component === component &&
      (component !== 'button' || place.button_index === (button ?? place.button_index)) &&
      (name ? place.parameter_name === name : place.position === (position ?? 1)),
  );
}
