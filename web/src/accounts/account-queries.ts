import { queryOptions, skipToken } from '@tanstack/react-query';
import { get } from '../api/client.ts';
import type { Checked } from './account-word.ts';

/** How the last syncs of templates went, of all accounts. */
export const templateSyncsQuery = queryOptions({
  queryKey: ['templates', null, 'syncs'],
  queryFn: async () => (await get('/templates', { limit: 1 })).syncs,
  refetchInterval: 30_000,
});

/** The last check of the account's number in this session; a check is a call of its own and stored here. */
export const numberCheckQuery = (accountId: string) =>
  queryOptions<Checked>({ queryKey: ['number-check', accountId], queryFn: skipToken });
