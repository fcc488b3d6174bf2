import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { Campaign, CampaignRetries } from '../../api/types.ts';
import { RetryQuestion } from './retry-question.tsx';
import { useAgain } from './use-again.ts';

interface RetryButtonProps {
  readonly campaign: Campaign;
  readonly failedByCode: CampaignRetries['failed_by_code'];
  readonly isSmall?: boolean;
  readonly children: string;
}

/** Opens the choice of which failed recipients get a draft. */
export function RetryButton({ campaign, failedByCode, isSmall, children }: RetryButtonProps) {
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
        failedByCode={failedByCode}
        isPending={make.isPending}
        error={make.error}
        onKeep={() => setAsked(false)}
        onGo={(chosen) => make.mutate(chosen)}
      />
    </>
  );
}
