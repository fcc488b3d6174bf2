import { queryOptions } from '@tanstack/react-query';
import { get } from '../api/client.ts';
import type { Template } from '../api/types.ts';

/** A template in all its languages, whatever the list shows. */
export const templateLanguagesQuery = (
  template: Pick<Template, 'account_id' | 'mode' | 'name'> | undefined,
) =>
  queryOptions({
    queryKey: ['templates', 'languages', template?.account_id, template?.mode, template?.name],
    queryFn: async () => {
      const { account_id, mode, name } = template ?? {};
      const asked = { account_id, mode, name, limit: 200 };
      return (await get('/templates', asked)).templates;
    },
    enabled: template !== undefined,
    staleTime: 30_000,
  });
