import type { Template } from '../api/types.ts';

/** The templates of one name in one account. */
export interface TemplateGroup {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  /** By language, live before test. */
  readonly members: readonly { readonly template: Template; readonly isMatch: boolean }[];
}

/**
 * One group for each name, in the order of the matches.
 * @param matches what the filters leave
 * @param all what is known without filters, to show the rest of a group
 */
export function templateGroups(
  matches: readonly Template[],
  all: readonly Template[],
): TemplateGroup[] {
  const matching = new Set(matches.map(({ id }) => id));
  const known = new Map([...all, ...matches].map((template) => [template.id, template]));
  const members = new Map<string, Template[]>(matches.map((template) => [groupOf(template), []]));
  for (const template of known.values()) members.get(groupOf(template))?.push(template);
  return [...members].flatMap(([id, templates]) => {
    const [first] = templates;
    if (!first) return [];
    const sorted = templates.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    return {
      id,
      name: first.name,
      accountId: first.account_id,
      members: sorted.map((template) => ({ template, isMatch: matching.has(template.id) })),
    };
  });
}

const groupOf = ({ account_id: accountId, name }: Template) => `${accountId} ${name}`;

const placeOf = ({ language, mode }: Template) => `${language} ${mode}`;

/** The one that a group opens with: the chosen one, else one of the key's mode, of those that match. */
export function leadOf(
  { members }: TemplateGroup,
  chosen: string | undefined,
  mode: Template['mode'] | undefined,
): Template | undefined {
  const matches = members.filter(({ isMatch }) => isMatch).map(({ template }) => template);
  return (
    members.find(({ template }) => template.id === chosen)?.template ??
    matches.find((template) => template.mode === mode) ??
    matches[0]
  );
}

/** Those whose name has the text. */
export const named = (templates: readonly Template[], text = ''): Template[] =>
  templates.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));

interface Choice {
  /** What the address names. */
  readonly chosen: string | undefined;
  /** What the list shows. */
  readonly groups: readonly TemplateGroup[];
  /** What is known without filters. */
  readonly all: readonly Template[];
  /** Whether the user narrows the list by a text or a status. */
  readonly isNarrowed: boolean;
  /** The mode of the key. */
  readonly mode: Template['mode'] | undefined;
}

/** What stands beside the list: the chosen one, or the first of the list if it does not have that. */
export function shownBeside({ chosen, groups, all, isNarrowed, mode }: Choice): string | undefined {
  const listed = groups.flatMap(({ members }) => members);
  const has = (id: string) => listed.some(({ template }) => template.id === id);
  const isLeftOut = (id: string) => isNarrowed && !has(id) && all.some((one) => one.id === id);
  if (chosen !== undefined && !isLeftOut(chosen)) return chosen;
  const matches = listed.filter(({ isMatch }) => isMatch).map(({ template }) => template);
  // One that the key can send says more than the first by name.
  return (matches.find((template) => template.mode === mode) ?? matches[0])?.id;
}
