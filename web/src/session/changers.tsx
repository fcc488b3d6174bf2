import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { usePlace } from './session.tsx';

interface ForChangersProps {
  readonly children: ReactNode;
  /** What viewers read in its place. */
  readonly otherwise?: ReactNode;
}

/** What changes something: viewers are not shown it. */
export function ForChangers({ children, otherwise = null }: ForChangersProps) {
  return usePlace().mayChange ? children : otherwise;
}

/** A form that fills a page; viewers read, under its title, that it is not for them. */
export const changersOnly = (title: string, Page: () => ReactNode) => () => {
  if (usePlace().mayChange) return <Page />;
  return (
    <>
      <PageHeader title={title} />
      <div className="card">
        <EmptyState
          icon={IconLock}
          title="Viewers change nothing"
          sentence="You see everything of your account, and try messages out with test keys. An administrator can make this change."
          action={
            <Button component={Link} to="/playground">
              Open playground
            </Button>
          }
        />
      </div>
    </>
  );
};
