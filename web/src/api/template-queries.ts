import { queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import { listOptions } from './lists.ts';
import type { FilterOf } from './operations.ts';
import type { Mode } from './types.ts';

/** The filters of the templates. */
export type TemplateFilter = FilterOf<'/templates', 'status' | 'mode' | 'configured'>;

export const templatesQuery = (accountId: string | null, filter: TemplateFilter) =>
  listOptions(
    ['templates', accountId, filter],
    '/templates',
    () => ({ account_id: accountId, ...filter, limit: 200 }),
    30_000,
  );

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['template', id],
    queryFn: () => get('/templates/{id}', { id }),
  });

/** The template of an account and mode with a name and a language; null when there is none. */
export const templateNamedQuery = (
  accountId: string,
  mode: Mode,
  { name, language }: { name: string; language: string },
) =>
  queryOptions({
    queryKey: ['templates', accountId, mode, name, language],
    queryFn: async () => {
      const asked = { account_id: accountId, mode, name, language };
      return (await get('/templates', asked)).templates[0] ?? null;
    },
    staleTime: 60_000,
  });

/** The templates that keys of an account and mode can send. */
export const sendableTemplatesQuery = (accountId: string, mode: Mode) =>
  queryOptions({
    queryKey: ['templates', accountId, mode, 'APPROVED'],
    queryFn: async () => {
      const asked = { account_id: accountId, mode, status: 'APPROVED', limit: 200 };
      return (await get('/templates', asked)).templates;
    },
    staleTime: 30_000,
  });
