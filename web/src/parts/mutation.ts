import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation that a button starts: until it is over, with what follows its success, a second click starts nothing.
 * The button itself shows that it is off only with the next rendering, too late for a double click.
 */
export function useGuardedMutation<Data, Given = void>(
  options: UseMutationOptions<Data, Error, Given>,
): UseMutationResult<Data, Error, Given> {
  const isRunning = useRef(false);
  const mutation = useMutation(options);
  const mutate: typeof mutation.mutate = (...given) => {
    if (isRunning.current) return;
    isRunning.current = true;
    const end = () => {
      isRunning.current = false;
    };
    void mutation.mutateAsync(...given).then(end, end);
  };
  return { ...mutation, mutate };
}
