import type { ApiKey, Template, TemplateAnswer } from '../api/types.ts';
import { keysFor, sendsTemplates } from './judging-key.ts';

interface Known {
  readonly template: Pick<Template, 'account_id' | 'mode' | 'status' | 'name' | 'language'>;
  readonly mappings: TemplateAnswer['mappings'];
  readonly keys: readonly ApiKey[];
  /** The key whose mapping is shown. */
  readonly chosen: string | undefined;
  /** Who may not change anything sends with test keys only. */
  readonly mayChange: boolean;
}

/**
 * The playground with the template and a key that can send it: by a mapping that fits, the chosen key's if it has one,
 * else with WhatsApp's components. Null where the user has no such key or the template is not approved.
 */
export function playgroundSearch({ template, mappings, keys, chosen, mayChange }: Known) {
  if (template.status !== 'APPROVED' || (template.mode === 'live' && !mayChange)) return null;
  const able = keysFor(template, keys)
    .filter(sendsTemplates)
    .toSorted((one, other) => Number(other.id === chosen) - Number(one.id === chosen));
  const isMapped = ({ id }: ApiKey) =>
    mappings.some(({ api_key_id: of, broken }) => of === id && !broken);
  const mapped = able.find(isMapped);
  const key = mapped ?? able[0];
  if (!key) return null;
  return {
    type: mapped ? 'template_send' : 'template',
    key: key.id,
    template: template.name,
    language: template.language,
  };
}
