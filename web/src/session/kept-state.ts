import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keepText, recallText } from './kept-texts.ts';
import { usePlace } from './session.tsx';

/**
 * A state that is there again when the user comes back to its page or loads the page again, until they sign out or
 * close the tab. It is not for secrets.
 * @param name what it belongs to. It is read when the component mounts.
 * @param check makes the state from what the tab has stored, in whatever form that is; null: it cannot be used.
 */
export function useKeptState<T>(
  name: string,
  initial: T,
  check: (stored: unknown) => T | null,
): [T, (next: T) => void] {
  const client = useQueryClient();
  const user = usePlace().session.user.id;
  const queryKey = ['kept', user, name];
  const [value, setValue] = useState(
    () => client.getQueryData<T>(queryKey) ?? check(recallText(user, name)) ?? initial,
  );
  const keep = (next: T) => {
    client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
    client.setQueryData(queryKey, next);
    keepText(user, name, next);
    setValue(next);
  };
  return [value, keep];
}
