import { newTemplateMappingLimits } from '../../api/limits/new-template-mapping.ts';
import type {
  MappedVariable,
  Template,
  TemplateMapping,
  TemplateParameter,
} from '../../api/types.ts';
import { lengthFault } from '../../parts/limit-faults.ts';

/** One line of the editor: a place of the template and the variable that fills it. */
export interface DraftLine {
  readonly parameter: TemplateParameter;
  /** Empty: no variable fills it. */
  readonly name: string;
  /** Empty: none. */
  readonly byDefault: string;
  readonly required: boolean;
  /** How a text of the body is sent, kept as it was. */
  readonly type: MappedVariable['type'];
}

/** `Body {{1}}`, `Header image`, `Button 1 URL`: what people call a place. */
export function placeName(parameter: TemplateParameter): string {
  const { component, position, parameter_name: name, button_index: button, kind } = parameter;
  if (component === 'button') {
    const what = { url_suffix: 'URL', coupon_code: 'code' }[kind] ?? kind.replaceAll('_', ' ');
    return `Button ${(button ?? 0) + 1} ${what}`;
  }
  const part = component === 'header' ? 'Header' : 'Body';
  return kind === 'text' ? `${part} {{${name ?? position}}}` : `${part} ${kind}`;
}

const fills = (variable: MappedVariable, parameter: TemplateParameter, isAlone: boolean) => {
  if (variable.component !== parameter.component) return false;
  if ((variable.button_index ?? null) !== parameter.button_index) return false;
  if (variable.parameter_name) return variable.parameter_name === parameter.parameter_name;
  return variable.position ? variable.position === parameter.position : isAlone;
};

/** The editor's lines for a template and the mapping that a key has, if it has one. */
export function draftLines(template: Template, mapping: TemplateMapping | null): DraftLine[] {
  const variables = Object.entries<MappedVariable>(mapping?.variables ?? {});
  return template.parameters.map((parameter) => {
    const isAlone =
      template.parameters.filter(
        (other) =>
          other.component === parameter.component && other.button_index === parameter.button_index,
      ).length === 1;
    const [name, variable] = variables.find(([, each]) => fills(each, parameter, isAlone)) ?? [];
    return {
      parameter,
      name: name ?? '',
      byDefault: variable?.default ?? '',
      required: variable?.required ?? parameter.required,
      type: variable?.type,
    };
  });
}

/** What is wrong with a line; null when nothing is. A place that may stay empty needs no name. */
export function lineFault(line: DraftLine, lines: readonly DraftLine[]): string | null {
  const name = line.name.trim();
  if (name === '') {
    if (line.parameter.required) return 'Name it';
    return line.byDefault === '' ? null : 'Name it, or remove the default';
  }
  const fault = lengthFault(name, newTemplateMappingLimits.variables.propertyNames, '');
  if (fault) return fault;
  if (lines.some((other) => other !== line && other.name.trim() === name)) {
    return 'This name is already in use';
  }
  if (line.parameter.required && !line.required && line.byDefault === '') {
    return 'Cannot be empty: require it, or set a default';
  }
  return null;
}

/** The mapping that the lines make. */
export function variablesOf(lines: readonly DraftLine[]): Record<string, MappedVariable> {
  return Object.fromEntries(
    lines
      .filter(({ name }) => name.trim() !== '')
      .map(({ parameter, name, byDefault, required, type }) => [
        name.trim(),
        {
          component: parameter.component as MappedVariable['component'],
          ...(parameter.parameter_name
            ? { parameter_name: parameter.parameter_name }
            : { position: parameter.position }),
          ...(parameter.button_index === null ? {} : { button_index: parameter.button_index }),
          ...(type ? { type } : {}),
          required,
          ...(byDefault === '' ? {} : { default: byDefault }),
        },
      ]),
  );
}

const locations = new Set(['location']);

/** Places that no variable can fill: a location as header. */
export const unfillable = (lines: readonly DraftLine[]) =>
  lines.filter(({ parameter }) => locations.has(parameter.kind));

/** What a place shows while it has no value: its default, or what the template came with. */
export function shownValue({ parameter, byDefault, name }: DraftLine): string {
  if (name.trim() === '') return '';
  return byDefault || parameter.example || name.trim();
}
