import { Button, Tabs } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { deliveryQuery } from '../api/delivery-queries.ts';
import type { Delivery } from '../api/types.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { Fact } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { ShortId } from '../parts/short-id.tsx';
import { ModeBadge, StatusBadge } from '../parts/status-badge.tsx';
import { duration } from '../parts/times.ts';
import { WrongLine } from '../parts/wrong-line.tsx';
import { ForChangers } from '../session/changers.tsx';
import { AttemptList } from './attempt-list.tsx';
import { lastAttempt } from './attempt-words.ts';
import { useRedelivery } from './delivery-changes.ts';
import { type Sender, senderOf } from './delivery-sender.ts';
import { deliveryTitle } from './delivery-title.ts';
import { namedEndpoint } from './named-endpoint.ts';
import { RequestHeaders } from './request-headers.tsx';

const tabs = ['attempts', 'payload', 'headers'] as const;
type TabName = (typeof tabs)[number];

interface DeliveryCardProps {
  readonly id: string;
  /** What the list says of it; undefined where the list does not show it. */
  readonly listed: Delivery | undefined;
  readonly tab: string | undefined;
  readonly onTab: (tab: TabName) => void;
}

/** One event on its way to one endpoint: where it goes, each attempt, and what it says. */
export function DeliveryCard({ id, listed, tab, onTab }: DeliveryCardProps) {
  const answer = useQuery(deliveryQuery(id));
  const follow = useEffectEvent((state: string) => {
    if (answer.data && state !== stateOf(answer.data.delivery)) void answer.refetch();
  });
  const listedState = listed && stateOf(listed);
  // A job or another person may have delivered it again since it was read.
  useEffect(() => {
    if (listedState !== undefined) follow(listedState);
  }, [listedState]);
  const { data } = answer;
  if (!data) {
    return (
      <section className="card" aria-label="Delivery">
        <QueryState query={answer} />
      </section>
    );
  }
  const { delivery } = data;
  const shown = tabs.find((each) => each === tab) ?? 'attempts';
  return (
    <section className="card" aria-label={`Delivery of ${delivery.event}`}>
      <DeliveryHead delivery={delivery} sender={senderOf(delivery.event, data.body)} />
      <Tabs
        className="card-tabs"
        value={shown}
        onChange={(value) => onTab(tabs.find((each) => each === value) ?? 'attempts')}
        variant="pills"
        keepMounted={false}
      >
        <Tabs.List aria-label="About the delivery">
          <Tabs.Tab value="attempts">
            Attempts <span className="quiet">{delivery.attempts.length}</span>
          </Tabs.Tab>
          <Tabs.Tab value="payload">Payload</Tabs.Tab>
          <Tabs.Tab value="headers">Request headers</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="attempts">
          <AttemptList delivery={delivery} />
        </Tabs.Panel>
        <Tabs.Panel value="payload">
          <CodeBlock language="json" code={prettyJson(data.body)} />
        </Tabs.Panel>
        <Tabs.Panel value="headers">
          <RequestHeaders delivery={delivery} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

/** What changes about a delivery. */
const stateOf = ({ status, attempts, next_attempt_at: next }: Delivery) =>
  [status, attempts.at(-1)?.number, next].join(' ');

function DeliveryHead({ delivery, sender }: { delivery: Delivery; sender: Sender | null }) {
  const redelivery = useRedelivery(delivery.id);
  const title = deliveryTitle(delivery);
  return (
    <div className="card-body delivery-head">
      <div className="spread wrap">
        <div className="row wrap">
          <h2>
            {sender ? (
              <MessageFrom sender={sender} user={delivery.user} />
            ) : title === delivery.event ? (
              <code>{title}</code>
            ) : (
              title
            )}
          </h2>
          <span aria-live="polite">
            <StatusBadge status={delivery.status} />
          </span>
          <ModeBadge mode={delivery.mode} />
        </div>
        <ForChangers>
          <Button
            leftSection={<IconRefresh size={16} />}
            loading={redelivery.isPending}
            onClick={() => redelivery.mutate()}
          >
            Redeliver now
          </Button>
        </ForChangers>
      </div>
      <WrongLine error={redelivery.error} effect="Nothing was sent." />
      <dl className="facts">
        <Fact name="Event">{title !== delivery.event && <code>{delivery.event}</code>}</Fact>
        <Fact name="Endpoint">
          {namedEndpoint(delivery) && <div className="strong">{namedEndpoint(delivery)}</div>}
          {delivery.url ? <code>{delivery.url}</code> : 'The key no longer has a webhook'}
        </Fact>
        <Fact name="Id">
          <ShortId id={delivery.webhook_id} name="id of the event" />
        </Fact>
        <Fact name="Key">
          {delivery.api_key_name ? (
            <Link to="/keys/$keyId" params={{ keyId: delivery.api_key_id }}>
              {delivery.api_key_name}
            </Link>
          ) : (
            'Deleted'
          )}
        </Fact>
        <Fact name="Message">
          {delivery.message_id && (
            <Link to="/messages/$messageId" params={{ messageId: delivery.message_id }}>
              Open the message
            </Link>
          )}
        </Fact>
        {delivery.next_attempt_at && <NextTry delivery={delivery} at={delivery.next_attempt_at} />}
      </dl>
    </div>
  );
}

/** `Message from Elena Fischer +14155550205` */
function MessageFrom({
  sender: { contactId, name },
  user,
}: {
  sender: Sender;
  user: string | null;
}) {
  return (
    <>
      Message from{' '}
      <Link to="/contacts/$contactId" params={{ contactId }}>
        {name}
      </Link>
      {user !== null && user !== name && <span className="quiet"> {user}</span>}
    </>
  );
}

function NextTry({ delivery, at }: { delivery: Delivery; at: string }) {
  const leftMs = Date.parse(at) - Date.now();
  const next = (lastAttempt(delivery)?.number ?? 0) + 1;
  return (
    <>
      <Fact name="Next try">
        {leftMs > 0 ? (
          <>
            <Moment at={at} />, <span className="quiet">in {duration(leftMs)}</span>
          </>
        ) : (
          'Now'
        )}
        <span className="quiet"> · try {next}</span>
      </Fact>
    </>
  );
}

function prettyJson(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
