import { type QueryKey, useQueryClient } from '@tanstack/react-query';

/** Reads again what a change has made old, by the beginnings of its query keys. */
export function useReread() {
  const client = useQueryClient();
  return (...queryKeys: readonly QueryKey[]) =>
    Promise.all(queryKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
}
