import type {
  MappedVariable,
  Template,
  TemplateMapping,
  TemplateParameter,
} from '../../api/types.ts';
import { type DraftLine, draftLines, placeName, variablesOf } from './mapping-draft.ts';

const isSamePlace = (one: TemplateParameter, other: TemplateParameter) =>
  one.component === other.component &&
  one.button_index === other.button_index &&
  one.kind === other.kind &&
  (one.parameter_name ?? one.position) === (other.parameter_name ?? other.position);

const isNamed = ({ name }: DraftLine) => name.trim() !== '';

/** Lines with the variables of another mapping, and the places of that one that they do not have. */
export function copiedLines(lines: readonly DraftLine[], source: readonly DraftLine[]) {
  const given = source.filter(isNamed);
  return {
    lines: lines.map((line) => {
      const from = given.find(({ parameter }) => isSamePlace(parameter, line.parameter));
      return from ? { ...from, parameter: line.parameter } : line;
    }),
    misfits: given
      .filter((from) => !lines.some((line) => isSamePlace(line.parameter, from.parameter)))
      .map(({ parameter }) => placeName(parameter)),
  };
}

/** What a mapping means for the languages of a template. */
export interface LanguagePlan {
  readonly changed: readonly {
    readonly template: Template;
    readonly variables: Record<string, MappedVariable>;
  }[];
  /** These have the same mapping already. */
  readonly same: readonly Template[];
  readonly leftOut: readonly { readonly template: Template; readonly reason: string }[];
}

/**
 * For which languages the lines can be saved.
 * @param templates all languages of the template, with the one of the lines
 * @param mappings those that the key has
 */
export function languagePlan(
  lines: readonly DraftLine[],
  templates: readonly Template[],
  mappings: readonly TemplateMapping[],
): LanguagePlan {
  const changed: LanguagePlan['changed'][number][] = [];
  const same: Template[] = [];
  const leftOut: LanguagePlan['leftOut'][number][] = [];
  for (const template of templates) {
    const copied = copiedLines(draftLines(template, null), lines);
    const reason = reasonAgainst(copied);
    const variables = variablesOf(copied.lines);
    const stored = mappings.find(({ template_id: id }) => id === template.id);
    if (reason !== null) leftOut.push({ template, reason });
    else if (stored && !stored.broken && isStored(variables, template, stored)) same.push(template);
    else changed.push({ template, variables });
  }
  return { changed, same, leftOut };
}

/** Why the places of a language do not fit; null when they do. */
function reasonAgainst({ lines, misfits }: ReturnType<typeof copiedLines>): string | null {
  const empty = lines
    .filter((line) => line.parameter.required && !isNamed(line))
    .map(({ parameter }) => placeName(parameter));
  const reasons = [
    ...(misfits.length > 0 ? [`it has no ${misfits.join(', ')}`] : []),
    ...(empty.length > 0 ? [`no variable fills its ${empty.join(', ')}`] : []),
  ];
  return reasons.length > 0 ? reasons.join('; ') : null;
}

const isStored = (
  variables: Record<string, MappedVariable>,
  template: Template,
  stored: TemplateMapping,
) => JSON.stringify(variables) === JSON.stringify(variablesOf(draftLines(template, stored)));
