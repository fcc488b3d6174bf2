import { Button } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../parts/empty-state.tsx';

interface NoMatchProps {
  readonly title: string;
  /** The filters that are set, as people read them. */
  readonly filters: readonly (string | undefined)[];
  readonly onClear: () => void;
  /** What a text was looked for in; undefined where nobody has searched. */
  readonly searched?: string | undefined;
  /** What to do so that a text finds something. */
  readonly advice?: string | undefined;
  /** Ways to what the user may have looked for. */
  readonly children?: ReactNode;
}

/** Replaces a list when nothing matches the filters. */
export function NoMatch({ title, filters, onClear, searched, advice, children }: NoMatchProps) {
  return (
    <EmptyState
      icon={IconSearch}
      title={title}
      sentence={[filters.filter(Boolean).join(', '), advice, searched && `Searched: ${searched}.`]
        .filter(Boolean)
        .join('. ')}
      action={
        <>
          {children}
          <Button onClick={onClear}>Clear filters</Button>
        </>
      }
    />
  );
}
