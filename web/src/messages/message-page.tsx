import { Button } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { deliveriesQuery } from '../api/delivery-queries.ts';
import { messageQuery } from '../api/message-queries.ts';
import { templateNamedQuery } from '../api/template-queries.ts';
import type { MessageDetails } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { contactName } from '../parts/contact-name.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Fact } from '../parts/facts.tsx';
import { MessageType } from '../parts/message-type.tsx';
import { part } from '../parts/missing-part.ts';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { ShortId, shortId } from '../parts/short-id.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge, StatusBadge } from '../parts/status-badge.tsx';
import { WindowLine } from '../parts/window-line.tsx';
import { windowRefusedAt } from '../parts/window-refusal.ts';
import { plainWords } from '../parts/words.ts';
import { sentRequest } from '../playground/sent-request.ts';
import { ForChangers } from '../session/changers.tsx';
import { destinationOf } from '../session/destination.ts';
import { usePlace } from '../session/session.tsx';
import { CancelButton } from './cancel-button.tsx';
import { priceWords } from './price-words.ts';
import { ResendButton } from './resend-button.tsx';
import { SentCard } from './sent-card.tsx';
import { templateNameOf } from './template-name.ts';
import { TimelineCard } from './timeline-card.tsx';
import { answersOf } from './timeline-lines.ts';

const MessagePhone = lazy(part(() => import('./message-phone.tsx')));

/** One message, from its acceptance to what became of it. */
export function MessagePage() {
  const { messageId } = useParams({ from: '/messages/$messageId' });
  const { tab } = useSearch({ from: '/messages/$messageId' });
  const navigate = useNavigate({ from: '/messages/$messageId' });
  const message = useQuery(messageQuery(messageId));
  const { data } = message;
  const deliveries = useInfiniteQuery({
    ...deliveriesQuery(data?.account_id ?? null, { message_id: messageId }),
    enabled: data !== undefined,
  });
  const reported = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const answers = answersOf(reported);
  const crumb = <Link to="/messages">Messages</Link>;
  if (!data) {
    return (
      <>
        <PageHeader title="Message" crumb={crumb} />
        <QueryState query={message} isCard />
      </>
    );
  }
  const request = sentRequest(data);
  const recipient = data.to ?? data.to_user_id ?? '';
  return (
    <>
      <PageHeader
        title={recipient}
        heading={
          data.contact && (
            <Link to="/contacts/$contactId" params={{ contactId: data.contact.contact_id }}>
              {recipient}
            </Link>
          )
        }
        crumb={crumb}
        badges={
          <>
            <span aria-live="polite">
              <StatusBadge status={data.status} />
            </span>
            <ModeBadge mode={data.mode} />
            <span className="quiet">
              <MessageType type={data.type} />
            </span>
          </>
        }
        actions={
          <>
            {request && (
              <Button
                leftSection={<IconTerminal2 size={16} stroke={1.65} />}
                renderRoot={(props) => (
                  <Link
                    to="/playground"
                    search={{ type: request.type, key: data.api_key_id, message: messageId }}
                    {...props}
                  />
                )}
              >
                Open in playground
              </Button>
            )}
            <ForChangers>
              <ResendButton message={data} />
              <CancelButton message={data} />
            </ForChangers>
          </>
        }
      />
      <StaleNotice query={message} />
      {data.retried_in && <RetriedNotice retry={data.retried_in} />}
      <div className={data.platform_payload ? 'columns message-columns' : 'columns'}>
        <div className="stack">
          <TimelineCard message={data} deliveries={reported} hasMore={deliveries.hasNextPage} />
          {data.platform_payload && (
            <SentCard
              message={data}
              request={request}
              tab={tab}
              onTab={(next) => void navigate({ search: { tab: next }, replace: true })}
            />
          )}
        </div>
        <div className="stack">
          <DetailsCard message={data} />
          {data.platform_payload && (
            <Suspense fallback={null}>
              <MessagePhone message={data} payload={data.platform_payload} answers={answers} />
            </Suspense>
          )}
        </div>
      </div>
    </>
  );
}

/** Why it is not offered to send it again. */
function RetriedNotice({
  retry: { campaign_id: campaignId, campaign_name: name, message_id: messageId, status },
}: {
  readonly retry: NonNullable<MessageDetails['retried_in']>;
}) {
  const campaign = (
    <Link to="/campaigns/$campaignId" params={{ campaignId }}>
      {name}
    </Link>
  );
  return (
    <Notice tone="amber" role="status">
      {messageId ? (
        <>
          A retry of the campaign, {campaign}, has{' '}
          <Link to="/messages/$messageId" params={{ messageId }}>
            a message to this recipient
          </Link>
          : {plainWords(status).toLowerCase()}.
        </>
      ) : (
        <>This recipient waits in a retry of the campaign, {campaign}.</>
      )}{' '}
      Sending this one again would reach them twice.
    </Notice>
  );
}

function DetailsCard({ message }: { message: MessageDetails }) {
  const { session, account, accounts } = usePlace();
  const own = accounts.find(({ id }) => id === message.account_id) ?? account;
  const template = useQuery({
    ...templateNamedQuery(
      message.account_id,
      message.mode,
      templateNameOf(message.platform_payload ?? {}),
    ),
    enabled: message.type === 'template' && message.platform_payload !== null,
  }).data;
  return (
    <Card title="Details">
      <dl className="facts card-body">
        <Fact name="Message id">
          <ShortId id={message.message_id} name="message id" />
        </Fact>
        <Fact name="WhatsApp id">
          {message.platform_message_id && (
            <ShortId id={message.platform_message_id} name="WhatsApp id" />
          )}
        </Fact>
        <Fact name="Request">
          {message.request_id && (
            <Link to="/requests" search={{ request_id: message.request_id }}>
              <code>{shortId(message.request_id)}</code>
            </Link>
          )}
        </Fact>
        <Fact name="User id">
          {message.to_user_id && <ShortId id={message.to_user_id} name="user id" />}
        </Fact>
        <Fact name="Contact">
          {message.contact && (
            <Link to="/contacts/$contactId" params={{ contactId: message.contact.contact_id }}>
              {contactName(message.contact)}
            </Link>
          )}
        </Fact>
        <Fact name="24-hour window">
          <WindowLine
            window={message.window}
            refusedAt={windowRefusedAt(message.window, [message])}
          />
        </Fact>
        <Fact name="Reference">
          {message.reference && (
            <>
              <code>{message.reference}</code>{' '}
              <CopyButton value={message.reference} label="Copy reference" />
            </>
          )}
        </Fact>
        <Fact name="Key">
          {message.api_key_name ? (
            <Link to="/keys/$keyId" params={{ keyId: message.api_key_id }}>
              {message.api_key_name}
            </Link>
          ) : (
            'Deleted'
          )}
        </Fact>
        <Fact name="Campaign">
          {message.campaign_id && (
            <Link to="/campaigns/$campaignId" params={{ campaignId: message.campaign_id }}>
              {message.campaign_name ?? <code>{shortId(message.campaign_id)}</code>}
            </Link>
          )}
        </Fact>
        <Fact name="From">{own?.display_phone_number}</Fact>
        <Fact name="Category">{template && plainWords(template.category)}</Fact>
        <Fact name="Held">
          {message.held && 'WhatsApp assesses the quality of the template first.'}
        </Fact>
        <Fact name="Price">
          {message.pricing && priceWords(message.pricing, destinationOf(message.mode, session))}
        </Fact>
        <Fact name="Fallback for">
          {message.fallback_for && (
            <Link to="/messages/$messageId" params={{ messageId: message.fallback_for }}>
              a message outside the window
            </Link>
          )}
        </Fact>
        <Fact name="Sent as">
          {message.sent_as === 'fallback' &&
            !message.fallback_for &&
            'the fallback: the window was closed'}
        </Fact>
        <Fact name="Sent again for">
          {message.resent_from && (
            <Link to="/messages/$messageId" params={{ messageId: message.resent_from }}>
              an earlier message
            </Link>
          )}
        </Fact>
        <Fact name="Sent again as">
          {message.resent_as && (
            <>
              <Link to="/messages/$messageId" params={{ messageId: message.resent_as }}>
                a new message
              </Link>
              {message.resent_as_status && message.resent_as_created_at && (
                <span className="row wrap">
                  <StatusBadge status={message.resent_as_status} />
                  <span className="secondary">
                    <Moment at={message.resent_as_created_at} />
                  </span>
                </span>
              )}
            </>
          )}
        </Fact>
        <Fact name="Accepted">
          <Moment at={message.created_at} />
        </Fact>
        {message.send_at && (
          <Fact name="To be sent">
            <Moment at={message.send_at} />
          </Fact>
        )}
        {message.expires_at && (
          <Fact name="Expires">
            <Moment at={message.expires_at} />
          </Fact>
        )}
      </dl>
    </Card>
  );
}
