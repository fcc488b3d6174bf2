import { Button, Progress } from '@mantine/core';
import {
  IconCheck,
  IconHandStop,
  IconMessages,
  IconQuestionMark,
  IconSend,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { dayMs } from '../../../libs/durations/index.ts';
import { keysQuery } from '../api/key-queries.ts';
import { contactQuery } from '../api/message-queries.ts';
import type { ContactDetails } from '../api/types.ts';
import { Table } from '../lists/table.tsx';
import { Card } from '../parts/card.tsx';
import { atName, contactName } from '../parts/contact-name.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Fact } from '../parts/facts.tsx';
import { MessageType } from '../parts/message-type.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState, QueryState } from '../parts/query-state.tsx';
import { ShortId } from '../parts/short-id.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge, StatusBadge } from '../parts/status-badge.tsx';
import { dateAndTime, duration, fullTime } from '../parts/times.ts';
import { typeNameOf } from '../parts/type-names.ts';
import { WindowLine } from '../parts/window-line.tsx';
import { windowRefusedAt } from '../parts/window-refusal.ts';
import { ForChangers } from '../session/changers.tsx';
import { usePlace } from '../session/session.tsx';
import { ConsentBadge, OptedOutBadge } from './consent-badges.tsx';
import { ConsentQuestion } from './consent-question.tsx';
import { evidenceParts, scopeWords, sourceWord, stateWords } from './consent-words.ts';
import { type Reach, reachOf } from './reach.ts';

const windowMs = dayMs;
const countries = new Intl.DisplayNames(['en'], { type: 'region' });

/** One contact: who they are, whether free-form messages reach them, and what they want to get. */
export function ContactPage() {
  const { contactId } = useParams({ from: '/contacts/$contactId' });
  const query = useQuery(contactQuery(contactId));
  const [isAsked, setAsked] = useState(false);
  const contact = query.data;
  const crumb = <Link to="/contacts">Contacts</Link>;
  if (!contact) {
    return (
      <>
        <PageHeader title="Contact" crumb={crumb} />
        <QueryState query={query} isCard />
      </>
    );
  }
  const { username, phone, country, opted_out } = contact;
  const name = contactName(contact);
  const others = [username && atName(username), phone, country && countries.of(country)];
  return (
    <>
      <PageHeader
        title={name}
        crumb={crumb}
        badges={
          <>
            {opted_out && <OptedOutBadge scope={opted_out} />}
            <ModeBadge mode={contact.mode} />
          </>
        }
        sentence={others
          .filter((text) => text && text !== name)
          .map((text, at) => (
            <span key={text}>
              {at > 0 && ' · '}
              <bdi>{text}</bdi>
            </span>
          ))}
        actions={
          <>
            <ContactVerbs contact={contact} />
            <ForChangers>
              <Button
                leftSection={<IconHandStop size={16} stroke={1.65} />}
                onClick={() => setAsked(true)}
              >
                Change consent…
              </Button>
            </ForChangers>
          </>
        }
      />
      <StaleNotice query={query} />
      <div className="columns">
        <div className="stack">
          <WindowCard contact={contact} />
          <MessagesCard contact={contact} />
          <ConsentCard consents={contact.consents} />
        </div>
        <div className="stack">
          <IdentityCard contact={contact} />
          <ReachCard contact={contact} />
        </div>
      </div>
      {isAsked && <ConsentQuestion contact={contact} onClose={() => setAsked(false)} />}
    </>
  );
}

/** Where to read what was sent to them, and where to write to them with a key that may. */
function ContactVerbs({ contact }: { contact: ContactDetails }) {
  const { mayChange } = usePlace();
  const keys = useQuery(keysQuery(contact.account_id)).data ?? [];
  const to = contact.phone ?? contact.user_id;
  if (to === null) return null;
  // Viewers try messages out with test keys only.
  const key = keys.find(
    ({ state, mode }) =>
      state === 'active' && mode === contact.mode && (mayChange || mode === 'test'),
  );
  const type = contact.window.state === 'closed' ? 'template_send' : 'text';
  return (
    <>
      {key && (
        <Button
          variant="filled"
          leftSection={<IconSend size={16} stroke={1.65} />}
          renderRoot={(props) => (
            <Link to="/playground" search={{ type, key: key.id, to }} {...props} />
          )}
        >
          Send a message
        </Button>
      )}
      <Button
        leftSection={<IconMessages size={16} stroke={1.65} />}
        renderRoot={(props) => <Link to="/messages" search={{ q: to }} {...props} />}
      >
        Messages
      </Button>
    </>
  );
}

function WindowCard({ contact: { window, messages } }: { contact: ContactDetails }) {
  const refusedAt = windowRefusedAt(window, messages);
  const { state, expires_at, last_inbound_at } = window;
  const leftMs = state === 'open' && expires_at ? Date.parse(expires_at) - Date.now() : 0;
  return (
    <Card title="Free-form messages" aside={<WindowLine window={window} refusedAt={refusedAt} />}>
      <div className="card-body stack">
        {leftMs > 0 && (
          <Progress
            value={(100 * leftMs) / windowMs}
            color="green"
            aria-label={`${duration(leftMs)} of the window left`}
          />
        )}
        <p className="secondary">
          {state === 'open' &&
            `They wrote less than 24 hours ago, so text, media, buttons and lists arrive for another ${duration(Math.max(0, leftMs))}.`}
          {state === 'closed' &&
            'They have not written in the last 24 hours. Only templates arrive until they write again.'}
          {state === 'unknown' &&
            (refusedAt === null
              ? 'Parley has not seen all their messages of the last 24 hours, so the window may be open.'
              : 'WhatsApp refused a message, because they had not written in the 24 hours before it. Only templates arrive until they write again.')}
        </p>
        {last_inbound_at && (
          <p className="small">Last message from them: {dateAndTime(last_inbound_at)}</p>
        )}
      </div>
    </Card>
  );
}

function MessagesCard({ contact }: { contact: ContactDetails }) {
  const { messages } = contact;
  const to = contact.phone ?? contact.user_id;
  return (
    <Card
      title="Latest messages to them"
      aside={
        to !== null && (
          <span className="row wrap">
            {/* What they wrote is not kept; the events that told of it are. */}
            <Link to="/webhooks" search={{ event: 'message.received', q: to }}>
              Messages from them
            </Link>
            {messages.length > 0 && (
              <Link to="/messages" search={{ q: to }}>
                All messages
              </Link>
            )}
          </span>
        )
      }
    >
      <ListState
        query={{ data: messages, error: null, refetch: () => undefined }}
        rows={messages}
        empty="Your keys have sent nothing to this contact, or it is no longer kept."
      >
        {() => (
          <div className="table-box">
            <Table heads={['Status', ['Type', 'col-type'], 'Message', ['Accepted', 'end']]}>
              {messages.map((message) => (
                <tr key={message.message_id} data-link>
                  <td className="first-end">
                    <StatusBadge status={message.status} />
                  </td>
                  <td className="col-type only-wide">
                    <MessageType type={message.type} />
                  </td>
                  <td className="cell-message second">
                    <Link
                      className="row-link cut"
                      to="/messages/$messageId"
                      params={{ messageId: message.message_id }}
                    >
                      {message.text || typeNameOf(message.type)}
                    </Link>
                  </td>
                  <td className="end quiet first-start">
                    <Moment at={message.created_at} />
                  </td>
                </tr>
              ))}
            </Table>
          </div>
        )}
      </ListState>
    </Card>
  );
}

function ConsentCard({ consents }: { consents: ContactDetails['consents'] }) {
  return (
    <Card title="Consent" aside={<span className="secondary">Checked before every template</span>}>
      <dl className="facts card-body">
        {(['marketing', 'all'] as const).map((scope) => {
          const { state, since, source } = consents[scope];
          return (
            <Fact key={scope} name={scopeWords[scope]}>
              <ConsentBadge state={state} />
              {since && (
                <span className="secondary" title={fullTime(since)}>
                  {' '}
                  since {dateAndTime(since)} · {sourceWord(source)}
                </span>
              )}
            </Fact>
          );
        })}
      </dl>
      {consents.history.length > 0 && (
        <div className="table-box">
          <Table caption="Everything that was said" heads={['When', 'What', 'Source and evidence']}>
            {consents.history.map(({ scope, state, source, evidence, at }, index) => (
              // Two entries can be of the same moment.
              <tr key={index}>
                <td className="quiet" title={fullTime(at)} style={{ whiteSpace: 'nowrap' }}>
                  {dateAndTime(at)}
                </td>
                <td>
                  {scopeWords[scope]}: {stateWords[state].toLowerCase()}
                </td>
                <td className="quiet second" style={{ overflowWrap: 'anywhere' }}>
                  {sourceWord(source)}
                  {evidence && <Evidence text={evidence} />}
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </Card>
  );
}

/** What was said, and behind it the short id of the message, with a button that copies it. */
function Evidence({ text }: { text: string }) {
  const { id, words } = evidenceParts(text);
  return (
    <>
      {words && `: “${words}”`}
      {id && (
        <>
          {' · '}
          <ShortId id={id} name="WhatsApp id" />
        </>
      )}
    </>
  );
}

function IdentityCard({ contact }: { contact: ContactDetails }) {
  return (
    <Card title="Identity">
      <dl className="facts card-body">
        <Fact name="Phone">
          {contact.phone === null ? (
            'Hidden by the user'
          ) : (
            <>
              {contact.phone} <CopyButton value={contact.phone} label="Copy phone number" />
            </>
          )}
        </Fact>
        <Fact name="Username">{contact.username && atName(contact.username)}</Fact>
        <Fact name="User id">
          {contact.user_id && <ShortId id={contact.user_id} name="user id" />}
        </Fact>
        <Fact name="Parent user id">
          {contact.parent_user_id && <ShortId id={contact.parent_user_id} name="parent user id" />}
        </Fact>
        <Fact name="Former user ids">
          {contact.former_user_ids.length > 0 &&
            contact.former_user_ids.map((id) => (
              <div key={id}>
                <ShortId id={id} name="former user id" />
              </div>
            ))}
        </Fact>
        <Fact name="Contact id">
          <ShortId id={contact.contact_id} name="contact id" />
        </Fact>
        <Fact name="First seen">{dateAndTime(contact.first_seen_at)}</Fact>
      </dl>
    </Card>
  );
}

const marks: Readonly<Record<Reach['is'], ReactNode>> = {
  yes: <IconCheck size={16} color="var(--green-text)" aria-label="Yes" />,
  maybe: <IconQuestionMark size={16} color="var(--amber-text)" aria-label="Maybe" />,
  no: <IconX size={16} color="var(--red-text)" aria-label="No" />,
};

function ReachCard({ contact }: { contact: ContactDetails }) {
  return (
    <Card title="What reaches this contact now">
      <ul className="card-body stack">
        {reachOf({ ...contact, refusedAt: windowRefusedAt(contact.window, contact.messages) }).map(
          ({ what, is, why }) => (
            <li key={what} className="row">
              {marks[is]}
              <span>
                {what}
                {why && (
                  <span className="secondary">
                    : {is === 'maybe' && 'maybe, '}
                    {why}
                  </span>
                )}
              </span>
            </li>
          ),
        )}
      </ul>
    </Card>
  );
}
