import '../styles/manage.css';
import { Button, SegmentedControl } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInbox } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { alertsQuery, failedEventsQuery, notificationQuery } from '../api/queries.ts';
import { useReread } from '../api/reread.ts';
import type { Alert, Notification } from '../api/types.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { Card } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState, QueryState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { plainWords } from '../parts/words.ts';
import { WrongLine } from '../parts/wrong-line.tsx';
import { usePlace } from '../session/session.tsx';

/** What needs attention: alerts, and events of WhatsApp that could not be processed. */
export function AlertsPage() {
  return (
    <>
      <PageHeader
        title="Alerts"
        sentence="Problems that need your attention, and events from WhatsApp that could not be processed."
      />
      <div className="stack">
        <AlertsCard />
        <FailedEventsCard />
      </div>
    </>
  );
}

function AlertsCard() {
  const { accountId } = usePlace();
  const search = useSearch({ from: '/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const state = search.state === 'resolved' ? 'resolved' : 'open';
  const alerts = useQuery(alertsQuery(accountId, state));
  return (
    <Card
      title="Alerts"
      aside={
        <SegmentedControl
          aria-label="Which alerts"
          size="xs"
          data={[
            { value: 'open', label: 'Open' },
            { value: 'resolved', label: 'Resolved' },
          ]}
          value={state}
          onChange={(value) =>
            void navigate({ search: value === 'open' ? {} : { state: value }, replace: true })
          }
        />
      }
    >
      <StaleNotice query={alerts} />
      <ListState
        query={alerts}
        skeletonRows={2}
        rows={alerts.data}
        empty={{
          icon: IconCircleCheck,
          title: state === 'open' ? 'All is well' : 'No resolved alerts',
          sentence:
            'Paused numbers, webhooks that were switched off, and similar problems are listed here.',
        }}
      >
        {(shown) => (
          <ul>
            {shown.map((alert) => (
              <AlertLine key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
      </ListState>
    </Card>
  );
}

function AlertLine({ alert }: { alert: Alert }) {
  const { accounts } = usePlace();
  const reread = useReread();
  const resolution = useMutation({
    mutationFn: () => call('POST', `/alerts/${alert.id}/resolve`),
    onSuccess: () => reread(['alerts'], ['overview']),
  });
  const account = accounts.length > 1 && accounts.find(({ id }) => id === alert.account_id);
  return (
    <li className="attention">
      <IconAlertTriangle
        size={18}
        stroke={1.65}
        color={alert.resolved_at ? 'var(--text-3)' : 'var(--red)'}
        aria-hidden="true"
      />
      <div className="grow">
        <div className="strong">{plainWords(alert.kind)}</div>
        <div className="secondary">{alert.message}</div>
        <div className="small">
          {account && `${account.name} · `}
          <Moment at={alert.created_at} />
          {alert.resolved_at && (
            <>
              {' '}
              · resolved <Moment at={alert.resolved_at} />
            </>
          )}{' '}
          <AlertLink alert={alert} />
        </div>
        <WrongLine error={resolution.error} isSmall />
      </div>
      {alert.resolved_at === null && (
        <Button
          aria-label={`Resolve ${plainWords(alert.kind)}`}
          loading={resolution.isPending}
          onClick={() => resolution.mutate()}
        >
          Resolve
        </Button>
      )}
    </li>
  );
}

/** The way to what an alert is about, where that has a page. */
function AlertLink({ alert }: { alert: Alert }) {
  const { session } = usePlace();
  if (alert.kind.startsWith('webhook_')) {
    return (
      <Link to="/keys/$keyId" params={{ keyId: alert.subject }}>
        Open the key
      </Link>
    );
  }
  if (alert.kind === 'unconfirmed_messages') {
    return (
      <Link to="/messages" search={{ status: 'unconfirmed' }}>
        Open the messages
      </Link>
    );
  }
  if (alert.kind.startsWith('number_') && session.user.role === 'operator') {
    return (
      <Link to="/accounts/$accountId" params={{ accountId: alert.account_id }}>
        Open the account
      </Link>
    );
  }
  return null;
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
    mutationFn: () => call('POST', `/notifications/${event.id}/retry`),
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
      <Button
        aria-label={`Try again: ${name}`}
        loading={retry.isPending}
        onClick={() => retry.mutate()}
      >
        Try again
      </Button>
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
