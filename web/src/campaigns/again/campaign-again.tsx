import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { retriesQuery } from '../../api/campaign-queries.ts';
import type { Campaign } from '../../api/types.ts';
import { RetryButton } from './retry-button.tsx';
import { causesOf, retryLabel } from './retry-choice.ts';
import { useAgain } from './use-again.ts';

/** What can follow a campaign that has ended: each makes a draft and opens it, and nothing is sent before its start. */
export function CampaignAgain({ campaign }: { campaign: Campaign }) {
  const retries = useQuery(retriesQuery(campaign)).data;
  const copy = useAgain(campaign);
  const left = { causes: causesOf(retries?.failed_by_code ?? {}), rest: retries?.rest ?? 0 };
  // Where another try can help nobody, the page says so instead.
  const label = retryLabel(left);
  return (
    <>
      {copy.error && (
        <span className="small wrong" role="alert">
          {copy.error.message}
        </span>
      )}
      {label && (
        <RetryButton campaign={campaign} left={left}>
          {label}
        </RetryButton>
      )}
      <Button
        leftSection={<IconCopy size={16} />}
        loading={copy.isPending}
        onClick={() => copy.mutate('copy')}
      >
        Duplicate
      </Button>
    </>
  );
}
