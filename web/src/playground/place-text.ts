import type { MappedVariable, Template } from '../api/types.ts';
import { placeOf } from './template-kinds.ts';

const buttonParts: Readonly<Record<string, string>> = {
  url_suffix: 'end of the URL',
  coupon_code: 'code',
  payload: 'payload',
  flow_token: 'flow token',
  flow_action_data: 'data of the flow',
};

/** What a variable of a mapping fills, in a sentence. */
export function placeText(variable: MappedVariable, template: Template | undefined): string {
  const { component, position, parameter_name: name, button_index: button } = variable;
  const kind = placeOf(variable, template)?.kind ?? 'text';
  if (component === 'button') {
    const part = buttonParts[kind];
    return `Fills ${part ? `the ${part} of ` : ''}button ${(button ?? 0) + 1}.`;
  }
  if (kind !== 'text') return `Fills the ${kind.replaceAll('_', ' ')} of the ${component}.`;
  return `Fills ${name ? `{{${name}}}` : `{{${position ?? 1}}}`} of the ${component}.`;
}
