import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keysQuery, overviewQuery } from '../api/queries.ts';
import { usePlace } from '../frame/session.tsx';
import { Bones } from '../parts/bones.tsx';
import { FailureState } from '../parts/failure-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { AttentionCard } from './attention-card.tsx';
import { CallsCard } from './calls-card.tsx';
import { FailuresCard } from './failures-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { StatusesCard } from './statuses-card.tsx';
import { Totals } from './totals.tsx';

/** What is going on. */
export function OverviewPage() {
  const { accountId } = usePlace();
  const overview = useQuery(overviewQuery(accountId));
  const keys = useQuery(keysQuery(accountId)).data;
  const isFirstTime = keys !== undefined && keys.every(({ last_used_at }) => last_used_at === null);
  return (
    <>
      <PageHeader
        title="Overview"
        sentence="The last 24 hours, right to within a minute."
        actions={
          !isFirstTime && (
            <Button
              component={Link}
              to="/keys/new"
              variant="filled"
              leftSection={<IconPlus size={16} />}
            >
              Create key
            </Button>
          )
        }
      />
      <StaleNotice query={overview} />
      {overview.isPending ? (
        <div className="card">
          <Bones />
        </div>
      ) : overview.data ? (
        <>
          <Totals overview={overview.data} />
          <div className="columns">
            <div className="stack">
              {isFirstTime && <FirstSteps keys={keys} />}
              <CallsCard hours={overview.data.calls_by_hour} />
              <FailuresCard counts={overview.data.failures_by_code} />
            </div>
            <div className="stack">
              <AttentionCard overview={overview.data} />
              <StatusesCard overview={overview.data} />
            </div>
          </div>
        </>
      ) : (
        <FailureState error={overview.error} onRetry={() => void overview.refetch()} />
      )}
    </>
  );
}
