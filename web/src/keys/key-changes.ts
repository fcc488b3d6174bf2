import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { ApiKey } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { oldKeyWords } from './overlaps.ts';

/** What can be done to a key that exists. */
export type KeyDeed = 'revoke' | 'suspend' | 'reinstate' | 'delete' | 'rotate' | 'switch-off';

interface Deed {
  readonly deed: KeyDeed;
  readonly reason?: string;
  readonly overlapSeconds?: number;
}

/** Does it, and reads the keys again. */
export function useKeyDeed(key: ApiKey) {
  const client = useQueryClient();
  return useGuardedMutation({
    mutationFn: async ({ deed, reason, overlapSeconds }: Deed) => {
      const { id } = key;
      if (deed === 'delete') await call('DELETE', '/api-keys/{id}', { id });
      else if (deed === 'switch-off')
        await call('PATCH', '/api-keys/{id}', { id }, { active: false });
      else if (deed === 'rotate') {
        const body = { overlap_seconds: overlapSeconds ?? 0 };
        const secret = (await call('POST', '/api-keys/{id}/rotate', { id }, body)).data.key;
        return { secret, old: oldKeyWords(body.overlap_seconds, Date.now()) };
      } else
        await call(
          'POST',
          `/api-keys/{id}/${deed}`,
          { id },
          reason === undefined ? undefined : { reason },
        );
      return null;
    },
    onSuccess: async (rotated, { deed }) => {
      if (deed === 'delete') client.removeQueries({ queryKey: ['key', key.id] });
      const queryKeys = [...(deed === 'delete' ? [] : [['key', key.id]]), ['keys'], ['overview']];
      const reading = queryKeys.map((queryKey) => client.invalidateQueries({ queryKey }));
      // A secret that is shown once must not wait for data that can be read again.
      if (rotated === null) await Promise.all(reading);
    },
  });
}

/** Changes attributes of a key; the lists follow. */
export function useKeyChange(id: string) {
  const client = useQueryClient();
  return useGuardedMutation({
    mutationFn: async (change: object) =>
      (await call('PATCH', '/api-keys/{id}', { id }, change)).data.api_key,
    onSuccess: async (key) => {
      client.setQueryData(['key', id], key);
      await client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
}

/** Of which kind a value of a key is. */
export type SecretKind = ApiKey['secrets'][number]['kind'];

/** Ends the old values of one kind. */
export function useOverlapEnd(id: string) {
  const client = useQueryClient();
  return useGuardedMutation({
    mutationFn: async (only: SecretKind) =>
      (await call('POST', '/api-keys/{id}/end-overlap', { id }, { only })).data.api_key,
    // Where it was refused, they have ended meanwhile: the page shows it.
    onSettled: () => client.invalidateQueries({ queryKey: ['key', id] }),
  });
}

/** Has the bodies of a key's requests kept for an hour, or no longer. */
export function useKeptBodies(id: string) {
  const client = useQueryClient();
  return useGuardedMutation({
    mutationFn: async (method: 'POST' | 'DELETE') => {
      const body = method === 'POST' ? { minutes: 60 } : undefined;
      return (await call(method, '/api-keys/{id}/keep-bodies', { id }, body)).data;
    },
    onSuccess: ({ api_key }) => {
      client.setQueryData(['key', id], api_key);
    },
  });
}
