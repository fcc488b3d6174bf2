import { queryOptions } from '@tanstack/react-query';
import { get, pathTo, withQuery } from './client.ts';
import { listOptions } from './lists.ts';
import type { Mode, Template, TemplateAnswer, TemplatePage } from './types.ts';

/** The filters of the templates. */
export interface TemplateFilter {
  status?: string;
  mode?: string;
}

export const templatesQuery = (accountId: string | null, filter: TemplateFilter) =>
  listOptions<TemplatePage>(
    ['templates', accountId, filter],
    '/templates',
    () => ({ account_id: accountId, ...filter, limit: 200 }),
    30_000,
  );

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['template', id],
    queryFn: () => get<TemplateAnswer>(pathTo`/templates/${id}`),
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
      return (await get<TemplatePage>(withQuery('/templates', asked))).templates[0] ?? null;
    },
    staleTime: 60_000,
  });

/** The templates that keys of an account and mode can send. */
export const sendableTemplatesQuery = (accountId: string, mode: Mode) =>
  queryOptions({
    queryKey: ['templates', accountId, mode, 'APPROVED'],
    queryFn: async () => {
      const asked = { account_id: accountId, mode, status: 'APPROVED', limit: 200 };
      return (await get<{ templates: Template[] }>(withQuery('/templates', asked))).templates;
    },
    staleTime: 30_000,
  });
