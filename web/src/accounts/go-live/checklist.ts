import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, get } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { Account } from '../../api/types.ts';
import { countDone } from './row-words.ts';

/** What the account needs before it goes live. Each read asks WhatsApp four questions. */
const checklistQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['checklist', accountId],
    queryFn: () => get('/accounts/{id}/checklist', { id: accountId }),
    // Who comes back from Meta's pages sees what they did there; an account that is live is not asked about again.
    staleTime: ({ state }) =>
      state.data && countDone(state.data.items) === state.data.items.length ? 600_000 : 5_000,
  });

/** The checklist of an account, which follows the account and moves it on. */
export function useChecklist(account: Account | undefined) {
  const accountId = account?.id ?? '';
  const checklist = useQuery({ ...checklistQuery(accountId), enabled: account !== undefined });
  const reread = useReread();
  const items = checklist.data?.items ?? [];
  // It stores what it read of number and token, and whether the account is verified.
  const { dataUpdatedAt: readAt } = checklist;
  useEffect(() => {
    if (readAt > 0)
      void reread(['account', accountId], ['accounts'], ['health-history', accountId]);
  }, [readAt]);
  // The account is read every 15 seconds, which asks WhatsApp nothing.
  const isAwaited = items.some(({ id, state }) => id === 'webhook' && state === 'missing');
  const hasCome = isAwaited && account !== undefined && account.last_webhook_at !== null;
  useEffect(() => {
    if (hasCome) void reread(['checklist', accountId]);
  }, [hasCome]);
  return checklist;
}

/** Does at WhatsApp what a row is about; the answer is the checklist after it. */
export function useChecklistAction(accountId: string, end: 'register' | 'subscribe') {
  const client = useQueryClient();
  const reread = useReread();
  return useMutation({
    mutationFn: async (body: object) =>
      (await call('POST', `/accounts/{id}/${end}`, { id: accountId }, body)).data,
    onSuccess: (checklist) => {
      client.setQueryData(checklistQuery(accountId).queryKey, checklist);
      return reread(['audit-log']);
    },
  });
}
