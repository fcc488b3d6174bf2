/** The template that a payload names. */
export function templateNameOf({ template }: Record<string, unknown>): {
  name: string;
  language: string;
} {
  const { name, language } = (template ?? {}) as {
    name?: string;
    language?: { code?: string };
  };
  return { name: name ?? '', language: language?.code ?? '' };
}
