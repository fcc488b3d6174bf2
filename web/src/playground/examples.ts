import type { MappedVariable, Template, TemplateParameter } from '../api/types.ts';
import { placeOf } from './template-kinds.ts';

type Variables = Readonly<Record<string, MappedVariable>>;

/** The example of a place; that of a file may be an id of WhatsApp, which nobody can send. */
export const exampleOf = ({ example, kind }: Pick<TemplateParameter, 'example' | 'kind'>) =>
  example && (!files.has(kind) || example.startsWith('https://')) ? example : '';

const files = new Set(['image', 'video', 'document']);

/** What the template came with for each variable of a mapping: name → example, empty where there is none. */
export const variableExamples = (
  variables: Variables,
  template: Template | undefined,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => {
      const place = placeOf(variable, template);
      return [name, place ? exampleOf(place) : ''];
    }),
  );

/** The examples of the variables that have neither a value nor a default. */
export const missingExamples = (
  variables: Variables,
  template: Template | undefined,
  given: Readonly<Record<string, unknown>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variableExamples(variables, template)).filter(
      ([name, example]) => example !== '' && !given[name] && !variables[name]?.default,
    ),
  );
