import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DraftStep } from './new/steps.tsx';

interface StepButtonProps {
  readonly campaignId: string;
  /** Where to go; the first step that is not done without it. */
  readonly step?: DraftStep;
  readonly isMain?: boolean;
  readonly isOff?: boolean;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** Leads to a step of a draft. */
export function StepButton({ campaignId, step, isMain, isOff, icon, children }: StepButtonProps) {
  const look = { variant: isMain ? 'filled' : 'default', leftSection: icon };
  // A link cannot be switched off.
  if (isOff) {
    return (
      <Button {...look} disabled>
        {children}
      </Button>
    );
  }
  return (
    <Button
      {...look}
      renderRoot={(props) => (
        <Link
          to="/campaigns/$draftId/draft"
          params={{ draftId: campaignId }}
          search={step === undefined ? {} : { step }}
          {...props}
        />
      )}
    >
      {children}
    </Button>
  );
}
