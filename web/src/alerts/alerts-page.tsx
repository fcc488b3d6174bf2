import { ForChangers } from '../session/changers.tsx';
import '../styles/manage.css';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInbox } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { resolvedAlertsQuery } from '../api/account-queries.ts';
import { call } from '../api/client.ts';
import { failedEventsQuery, notificationQuery } from '../api/delivery-queries.ts';
import { useReread } from '../api/reread.ts';
import type { Alert, Notification } from '../api/types.ts';
import { failedAttempts } from '../deliveries/failing-endpoints.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { Card } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState, QueryState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { inOwnZone } from '../parts/times.ts';
import { plainWords } from '../parts/words.ts';
import { WrongLine } from '../parts/wrong-line.tsx';
import { usePlace } from '../session/session.tsx';
import { AccountName, allIsWell, MatterList } from './matter-line.tsx';
import { alertMatter } from './matters.ts';
import { useMatters } from './use-matters.ts';

/** What needs attention, what did, and events of WhatsApp that could not be processed. */
export function AlertsPage() {
  return (
    <>
      <PageHeader
        title="Alerts"
        sentence="Problems that need your attention, and events from WhatsApp that could not be processed."
      />
      <div className="stack">
        <OpenCard />
        <MutedCard />
        <p className="small">
          Endpoints of the whole account that name <code>alert.raised</code> get alerts too, with a
          text for Slack and other chats. <Link to="/webhooks">Open webhooks</Link>
        </p>
        <ResolvedCard />
        <FailedEventsCard />
      </div>
    </>
  );
}

function OpenCard() {
  const matters = useMatters();
  return (
    <Card title="Needs attention">
      <StaleNotice query={matters.overview} />
      <ListState query={matters} skeletonRows={2} rows={matters.data} empty={allIsWell}>
        {(shown) => <MatterList matters={shown} />}
      </ListState>
    </Card>
  );
}

function MutedCard() {
  const { session } = usePlace();
  const { overview } = useMatters();
  const muted = overview.data?.alerts.filter((alert) => alert.muted_until !== null) ?? [];
  if (muted.length === 0) return null;
  const isOperator = session.user.role === 'operator';
  return (
    <Card title="Muted">
      <MatterList matters={muted.map((alert) => alertMatter(alert, isOperator))} />
    </Card>
  );
}

/** Of the alerts that are over, this many are shown at first. */
const shownResolved = 5;

/** They are no alerts of the database: each page computes them from what is so at the moment. */
const notKept =
  'Mappings that no longer fit, keys that expire and troubles of an endpoint that lasted less than a minute are listed only while they last; they are not kept here.';

function ResolvedCard() {
  const { accountId } = usePlace();
  const [isAll, setIsAll] = useState(false);
  const alerts = useQuery(resolvedAlertsQuery(accountId));
  const count = alerts.data?.length ?? 0;
  return (
    <Card title="Resolved">
      <ListState
        query={alerts}
        skeletonRows={2}
        rows={alerts.data?.toSorted(lastResolvedFirst).slice(0, isAll ? count : shownResolved)}
        empty={`No alert has been resolved yet. ${notKept}`}
      >
        {(shown) => (
          <>
            <ul>
              {shown.map((alert) => (
                <ResolvedLine key={alert.id} alert={alert} />
              ))}
            </ul>
            <p className="table-foot quiet">{notKept}</p>
            {shown.length < count && (
              <div className="table-foot">
                <button type="button" className="link" onClick={() => setIsAll(true)}>
                  Show the latest {count}
                </button>
              </div>
            )}
          </>
        )}
      </ListState>
    </Card>
  );
}

const lastResolvedFirst = (one: Alert, other: Alert) =>
  Date.parse(other.resolved_at ?? '') - Date.parse(one.resolved_at ?? '');

function ResolvedLine({ alert }: { alert: Alert }) {
  return (
    <li className="attention">
      <IconCircleCheck size={18} stroke={1.65} color="var(--text-3)" aria-hidden="true" />
      <div className="grow">
        <div className="strong">{plainWords(alert.kind)}</div>
        <div className="secondary">
          {inOwnZone(alert.message)}
          <EventsOfTrouble alert={alert} />
        </div>
        <div className="small attention-foot">
          <AccountName id={alert.account_id} />
          <span>
            From <Moment at={alert.created_at} />
          </span>
          {alert.resolved_at && (
            <span>
              Resolved <Moment at={alert.resolved_at} />
            </span>
          )}
        </div>
      </div>
    </li>
  );
}

/** Leads to the events that an endpoint was to get while it failed. */
function EventsOfTrouble({ alert }: { alert: Alert }) {
  const { failures } = alert.details as { failures?: unknown };
  if (alert.kind !== 'endpoint_failed' || typeof failures !== 'number') return null;
  const time = { from: alert.created_at, to: alert.resolved_at ?? undefined };
  return (
    <>
      {' '}
      {failedAttempts(failures)}.{' '}
      <Link to="/webhooks" search={{ endpoint: alert.subject, ...time }}>
        Events of that time
      </Link>
    </>
  );
}

function FailedEventsCard() {
  const { accountId } = usePlace();
  const events = useInfiniteQuery(failedEventsQuery(accountId));
  const rows = events.data?.pages.flatMap((page) => page.notifications) ?? [];
  return (
    <Card title="Unprocessed events">
      <StaleNotice query={events} />
      <ListState
        query={events}
        skeletonRows={2}
        rows={rows}
        empty={{
          icon: IconInbox,
          title: 'No unprocessed events',
          sentence: 'Events that Parley cannot process are kept here and block nothing else.',
        }}
      >
        {() => (
          <>
            <ul>
              {rows.map((event) => (
                <FailedEventLine key={event.id} event={event} />
              ))}
            </ul>
            {events.hasNextPage && <ListFoot shown={rows.length} query={events} />}
          </>
        )}
      </ListState>
    </Card>
  );
}

function FailedEventLine({ event }: { event: Notification }) {
  const reread = useReread();
  const [isOpen, setIsOpen] = useState(false);
  const retry = useMutation({
    mutationFn: () => call('POST', '/notifications/{id}/retry', { id: event.id }),
    onSettled: () => reread(['notifications']),
  });
  const name = event.kind === 'notification' ? 'A whole request' : plainWords(event.kind);
  return (
    <li className="attention set-aside">
      <IconAlertTriangle size={18} stroke={1.65} color="var(--amber)" aria-hidden="true" />
      <div className="grow">
        <div className="strong">{name}</div>
        <div className="secondary">{event.error}</div>
        <div className="small">
          <Moment at={event.received_at} /> · {event.attempts}{' '}
          {event.attempts === 1 ? 'attempt' : 'attempts'} ·{' '}
          <button
            type="button"
            className="link"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide the request' : 'Show the request'}
          </button>
        </div>
        {isOpen && <RequestBody id={event.id} />}
        <WrongLine error={retry.error} isSmall />
      </div>
      <ForChangers>
        <Button
          aria-label={`Try again: ${name}`}
          loading={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Try again
        </Button>
      </ForChangers>
    </li>
  );
}

function RequestBody({ id }: { id: string }) {
  const detail = useQuery(notificationQuery(id));
  if (!detail.data) return <QueryState query={detail} skeletonRows={2} />;
  const { body } = detail.data;
  return body === null ? (
    <p className="secondary">
      Only operators see the request, because it may concern other accounts. It is deleted after a
      while.
    </p>
  ) : (
    <CodeBlock language="json" code={pretty(body)} maxHeight={320} />
  );
}

/** Unchanged if it is not JSON, because that may be what is wrong. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
