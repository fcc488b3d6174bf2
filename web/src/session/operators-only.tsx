import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { usePlace } from './session.tsx';

/** A page of the installation; others read, under its title, that it is not for them. */
export const operatorsOnly = (title: string, Page: () => ReactNode) => () => {
  const { session } = usePlace();
  if (session.user.role === 'operator') return <Page />;
  return (
    <>
      <PageHeader title={title} />
      <div className="card">
        <EmptyState
          icon={IconLock}
          title="Only operators see this page"
          sentence="Accounts and users belong to the installation. You belong to one account."
          action={
            <Button component={Link} to="/">
              Go to the overview
            </Button>
          }
        />
      </div>
    </>
  );
};
