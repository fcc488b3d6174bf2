import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * A state that is there again when the user comes back to its page. Whoever signs out takes it along.
 * @param name what it is of; another name begins anew with the next mount.
 */
export function useKeptState<T>(name: string, initial: T): [T, (next: T) => void] {
  const client = useQueryClient();
  const queryKey = ['kept', name];
  const [value, setValue] = useState(() => client.getQueryData<T>(queryKey) ?? initial);
  const keep = (next: T) => {
    client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
    client.setQueryData(queryKey, next);
    setValue(next);
  };
  return [value, keep];
}
