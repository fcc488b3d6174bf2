import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../api/account-queries.ts';
import { call } from '../api/client.ts';
import { forgetTexts } from './kept-texts.ts';
import { noteSession } from './noted-session.ts';

/** Ends this session, or all sessions of the user. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (path: '/session' | '/sessions') => call('DELETE', path),
    onSuccess: () => {
      client.clear();
      forgetTexts();
      noteSession(false);
      // What was on the page belongs to the user who left.
      window.location.reload();
    },
    onError: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
}
