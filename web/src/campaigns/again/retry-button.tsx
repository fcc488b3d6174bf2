import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { Campaign } from '../../api/types.ts';
import type { Left } from './retry-choice.ts';
import { RetryQuestion } from './retry-question.tsx';
import { useAgain } from './use-again.ts';

interface RetryButtonProps {
  readonly campaign: Campaign;
  readonly left: Left;
  readonly isSmall?: boolean;
  readonly children: string;
}

/** Opens the choice of which recipients that are left get a draft. */
export function RetryButton({ campaign, left, isSmall, children }: RetryButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const make = useAgain(campaign);
  return (
    <>
      <Button
        {...(isSmall ? { size: 'xs' } : { leftSection: <IconRefresh size={16} /> })}
        onClick={() => {
          make.reset();
          setAsked(true);
        }}
      >
        {children}
      </Button>
      <RetryQuestion
        isAsked={isAsked}
        left={left}
        isPending={make.isPending}
        error={make.error}
        onKeep={() => setAsked(false)}
        onGo={(chosen) => make.mutate(chosen)}
      />
    </>
  );
}
