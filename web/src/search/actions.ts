import { useMantineColorScheme } from '@mantine/core';
import type { SearchResult } from '../api/types.ts';
import { schemes } from '../parts/schemes.ts';
import { useSignOut } from '../session/sign-out.ts';
import { hasWords } from './words-begun.ts';

/** What the search does at once, instead of opening a page. */
export interface Action extends Pick<SearchResult, 'title' | 'subtitle'> {
  readonly run: () => void;
}

/** The actions whose words begin with those of a text. */
export function useActions(text: string): readonly Action[] {
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const actions: Action[] = [
    ...schemes.map(({ value, label }) => ({
      title: `${label} theme`,
      subtitle: 'Colours of the dashboard, appearance, mode',
      run: () => setColorScheme(value),
    })),
    {
      title: 'Sign out',
      subtitle: 'Leave, log out, logout',
      run: () => signOut.mutate('/session'),
    },
    {
      title: 'Sign out everywhere',
      subtitle: 'End all your sessions, log out, logout',
      run: () => signOut.mutate('/sessions'),
    },
  ];
  return actions.filter(({ title, subtitle }) => hasWords(`${title} ${subtitle}`, text));
}
