import { useMantineColorScheme } from '@mantine/core';
import type { SearchResult } from '../api/types.ts';
import { schemes } from '../parts/schemes.ts';
import { useSignOut } from '../session/sign-out.ts';

/** What the search does at once, instead of opening a page. */
export interface Action extends Pick<SearchResult, 'title' | 'subtitle'> {
  readonly run: () => void;
}

const wordsOf = (text: string) => text.toLowerCase().split(/\P{L}+/u);

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
  const asked = wordsOf(text).filter(Boolean);
  if (asked.length === 0) return [];
  return actions.filter(({ title, subtitle }) => {
    const words = wordsOf(`${title} ${subtitle}`);
    return asked.every((each) => words.some((word) => word.startsWith(each)));
  });
}
