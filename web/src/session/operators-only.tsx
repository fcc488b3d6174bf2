import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { usePlace } from './session.tsx';

interface OperatorsOnlyProps {
  /** The title of the page. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A page of the installation; administrators read that it is not for them. */
export function OperatorsOnly({ title, children }: OperatorsOnlyProps) {
  const { session } = usePlace();
  if (session.user.role === 'operator') return children;
  return (
    <>
      <PageHeader title={title} />
      <div className="card">
        <EmptyState
          icon={IconLock}
          title="Only operators see this page"
          sentence="Accounts, users and the audit log belong to the installation. You manage one account."
          action={
            <Button component={Link} to="/">
              Go to the overview
            </Button>
          }
        />
      </div>
    </>
  );
}
