import type { ApiKey, Template } from '../api/types.ts';

type Owned = Pick<Template, 'account_id' | 'mode'>;

/** The keys that a mapping of the template can belong to. */
export const keysFor = (template: Owned, keys: readonly ApiKey[]): readonly ApiKey[] =>
  keys.filter(
    (key) =>
      key.account_id === template.account_id &&
      key.mode === template.mode &&
      key.state !== 'revoked',
  );

/** Whether programs can send templates with the key right now. */
export const sendsTemplates = ({ state, permissions }: Pick<ApiKey, 'state' | 'permissions'>) =>
  state === 'active' && permissions.includes('send_template');

/**
 * The key whose mapping counts: the chosen one if it can send the template, else one that has mapped it.
 * @param mappedBy the keys that have, where they are known.
 */
export function judgingKey(
  template: Owned,
  keys: readonly ApiKey[],
  chosen: string | undefined,
  mappedBy: readonly string[] = [],
): ApiKey | undefined {
  const eligible = keysFor(template, keys);
  return (
    eligible.find(({ id }) => id === chosen) ??
    eligible.find((key) => sendsTemplates(key) && mappedBy.includes(key.id)) ??
    eligible.find(sendsTemplates) ??
    eligible[0]
  );
}
