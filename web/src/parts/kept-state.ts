import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * A state that is there again when the user comes back to its page, until they sign out or load the page again.
 * @param name what it belongs to. It is read when the component mounts.
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
