import type { Template, TemplateMapping } from '../../api/types.ts';
import { type DraftLine, draftLines, placeName } from '../../templates/mapping/mapping-draft.ts';
import type { Variable } from './recipient-lines.ts';

/** The places of a template that variables of the mapping fill. */
export const filledLines = (template: Template, mapping: TemplateMapping): readonly DraftLine[] =>
  draftLines(template, mapping).filter(({ name }) => name !== '');

const texts = new Set(['text', 'url_suffix']);

/** The variables that columns of a file can fill. */
export const variablesOf = (lines: readonly DraftLine[]): Variable[] =>
  lines.map(({ name, parameter, required }) => ({
    name,
    place: placeName(parameter),
    isRequired: required,
    isText: texts.has(parameter.kind),
  }));
