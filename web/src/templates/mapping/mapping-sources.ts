import type { ApiKey, Template, TemplateAnswer, TemplateMapping } from '../../api/types.ts';

/** A mapping whose variables another one can have. */
export interface Source {
  readonly keyId: string;
  readonly templateId: string;
  readonly name: string;
}

export interface SourcesAsked {
  readonly template: Template;
  readonly apiKey: ApiKey;
  /** Those of the key. */
  readonly mappings: readonly TemplateMapping[];
  /** The template's, of all keys. */
  readonly ofTemplate: TemplateAnswer['mappings'];
}

/** The mappings with variables of the key's other templates, and of the template at other keys. */
export function sourcesOf({ template, apiKey, mappings, ofTemplate }: SourcesAsked): {
  ofKey: Source[];
  ofTemplate: Source[];
} {
  return {
    ofKey: mappings
      .filter(
        ({ template_id: of, variables }) => of !== template.id && Object.keys(variables).length > 0,
      )
      .map((mapping) => ({
        keyId: apiKey.id,
        templateId: mapping.template_id,
        name: `${mapping.template_name}, ${mapping.language}`,
      })),
    ofTemplate: ofTemplate
      .filter(({ api_key_id: of, variables }) => of !== apiKey.id && variables > 0)
      .map(({ api_key_id: keyId, api_key_name: name }) => ({
        keyId,
        templateId: template.id,
        name,
      })),
  };
}
