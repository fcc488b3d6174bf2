import { Button } from '@mantine/core';
import { IconPlus, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMatters } from '../alerts/use-matters.ts';
import { firstReplyQuery, overviewQuery } from '../api/account-queries.ts';
import { keysQuery } from '../api/key-queries.ts';
import type { ApiKey, Overview } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ForChangers } from '../session/changers.tsx';
import { usePlace } from '../session/session.tsx';
import { AttentionCard } from './attention-card.tsx';
import { CallsCard } from './calls-card.tsx';
import { FailuresCard } from './failures-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { OutcomesCard } from './outcomes-card.tsx';
import { StatusesCard } from './statuses-card.tsx';
import { Totals } from './totals.tsx';
import { usableKey } from './usable-key.ts';

/** After this many calls, the installation is in real use. */
const tryingCallsMax = 100;

/** What is going on. */
export function OverviewPage() {
  const { accountId, mode, mayChange } = usePlace();
  const overview = useQuery(overviewQuery(accountId, mode));
  const keys = useQuery(keysQuery(accountId)).data;
  // Viewers try messages with test keys only.
  const mayTry = mayChange || (keys !== undefined && usableKey(keys, mayChange) !== undefined);
  const isFirstTime =
    overview.data !== undefined &&
    messagesOf(overview.data) === 0 &&
    keys !== undefined &&
    keys.every(({ last_used_at: at }) => at === null);
  return (
    <>
      <PageHeader
        title="Overview"
        sentence={
          isFirstTime
            ? 'Welcome. Here is what to do next.'
            : 'What became of your messages, and what happened in the last 24 hours.'
        }
        actions={
          <>
            {mayTry && (
              <Button
                component={Link}
                to="/playground"
                leftSection={<IconTerminal2 size={16} stroke={1.65} />}
              >
                Open playground
              </Button>
            )}
            <ForChangers>
              <Button
                component={Link}
                to="/keys/new"
                variant={isFirstTime ? 'default' : 'filled'}
                leftSection={<IconPlus size={16} />}
              >
                Create key
              </Button>
            </ForChangers>
          </>
        }
      />
      <StaleNotice query={overview} />
      {overview.data && keys ? (
        <Figures overview={overview.data} keys={keys} isFirstTime={isFirstTime} />
      ) : (
        <QueryState query={overview} isCard />
      )}
    </>
  );
}

interface FiguresProps {
  readonly overview: Overview;
  readonly keys: readonly ApiKey[];
  readonly isFirstTime: boolean;
}

function Figures({ overview, keys, isFirstTime }: FiguresProps) {
  const { session, accountId, mayChange } = usePlace();
  const { calls_last_24h: calls } = overview;
  const mayTry = session.simulator ? calls < tryingCallsMax : isFirstTime;
  const reply = useQuery({ ...firstReplyQuery(accountId), enabled: mayTry }).data;
  const isDelivered = reply?.isDelivered ?? false;
  const hasMatters = (useMatters().data?.length ?? 0) > 0;
  const key = usableKey(keys, mayChange);
  // Users who got this far without a program of their own see that they are done.
  const areStepsShown = mayTry && reply !== undefined && (!isDelivered || calls === 0);
  return (
    <div className="overview">
      {hasMatters && (
        <div className="overview-attention">
          <AttentionCard />
        </div>
      )}
      {areStepsShown && (
        <FirstSteps
          keyName={key?.name ?? null}
          keyMode={key?.mode ?? null}
          isReceived={keys.some(({ state, webhook }) => state === 'active' && webhook.url !== null)}
          progress={{
            hasSent: messagesOf(overview) > 0,
            hasAnswer: reply.hasAnswer,
            isDelivered,
          }}
        />
      )}
      {!isFirstTime && <OutcomesCard />}
      <Totals overview={overview} />
      {isFirstTime ? (
        <Card title="Calls by hour">
          <p className="calls-none secondary">
            No calls yet. The chart fills as soon as a key is used.
          </p>
        </Card>
      ) : (
        <div className="columns">
          <div className="stack">
            <CallsCard hours={overview.calls_by_hour} />
            <FailuresCard counts={overview.failures_by_code} />
          </div>
          <div className="stack">
            {!hasMatters && <AttentionCard />}
            <StatusesCard overview={overview} />
          </div>
        </div>
      )}
    </div>
  );
}

const messagesOf = ({ messages_by_status: counts }: Overview) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
