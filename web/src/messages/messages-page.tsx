import { Button, TextInput } from '@mantine/core';
import { IconMessages, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { keysQuery, type MessageFilter, messagesQuery } from '../api/queries.ts';
import type { Message } from '../api/types.ts';
import { usePlace } from '../frame/session.tsx';
import { Bones } from '../parts/bones.tsx';
import { ChoiceFilter } from '../parts/choice-filter.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FailureState } from '../parts/failure-state.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge, StatusBadge } from '../parts/status-badge.tsx';
import { MessageType, typeNames } from './message-type.tsx';

const statuses = ['queued', 'sending', 'unconfirmed', 'sent', 'delivered', 'read', 'failed'];
const idForm = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Everything that the keys sent. */
export function MessagesPage() {
  const { accountId } = usePlace();
  const search = useSearch({ from: '/messages' });
  const navigate = useNavigate({ from: '/messages' });
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  const filter: MessageFilter = {
    ...(search.status && { status: search.status }),
    ...(search.type && { type: search.type }),
    ...(search.key && { key_id: search.key }),
    ...(search.q && (search.q.startsWith('+') ? { to: search.q } : { reference: search.q })),
  };
  const messages = useInfiniteQuery(messagesQuery(accountId, filter));
  const rows = messages.data?.pages.flatMap((page) => page.messages) ?? [];
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true });
  const isFiltered = Object.keys(filter).length > 0;
  const keyName = keys.find(({ id }) => id === search.key)?.name;
  return (
    <>
      <PageHeader title="Messages" sentence="Everything your keys sent, newest first." />
      <StaleNotice query={messages} />
      <div className="filters">
        <SearchField
          key={search.q}
          value={search.q ?? ''}
          onSearch={(q) => {
            if (idForm.test(q))
              void navigate({ to: '/messages/$messageId', params: { messageId: q } });
            else change({ q: q || undefined });
          }}
        />
        <ChoiceFilter
          name="Status"
          choices={statuses}
          value={search.status}
          onChange={(status) => change({ status })}
        />
        <ChoiceFilter
          name="Key"
          choices={keys.map(({ name }) => name)}
          value={search.key && (keyName ?? 'Another key')}
          isVerbatim
          onChange={(name) => change({ key: keys.find((key) => key.name === name)?.id })}
        />
        <ChoiceFilter
          name="Type"
          choices={Object.keys(typeNames)}
          value={search.type}
          onChange={(type) => change({ type })}
        />
      </div>
      <div className="card table-box">
        {messages.isPending ? (
          <Bones />
        ) : !messages.data ? (
          <FailureState error={messages.error} onRetry={() => void messages.refetch()} />
        ) : rows.length === 0 && isFiltered ? (
          <EmptyState
            icon={IconSearch}
            title="No message matches"
            sentence={[search.q && `“${search.q}”`, search.status, keyName, search.type]
              .filter(Boolean)
              .join(', ')}
            action={
              <Button
                onClick={() =>
                  change({ q: undefined, status: undefined, key: undefined, type: undefined })
                }
              >
                Clear filters
              </Button>
            }
          />
        ) : rows.length === 0 ? (
          <EmptyState
            icon={IconMessages}
            title="No message yet"
            sentence="What your keys send stands here, each with its status, at once."
          />
        ) : (
          <>
            <table className="table entries messages-table">
              <thead>
                <tr>
                  <th>Status</th>
                  <th>To</th>
                  <th className="col-type">Type</th>
                  <th>Message</th>
                  <th className="col-reference">Reference</th>
                  <th>Key</th>
                  <th className="end">Accepted</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((message) => (
                  <MessageRow key={message.message_id} message={message} />
                ))}
              </tbody>
            </table>
            <ListFoot shown={rows.length} query={messages} />
          </>
        )}
      </div>
    </>
  );
}

function MessageRow({ message }: { message: Message }) {
  const { error } = message;
  return (
    <tr data-link>
      <td className="first-end">
        <StatusBadge status={message.status} />
      </td>
      <td style={{ gridRow: 1, gridColumn: 1 }}>
        <span className="row">
          <Link
            className="cell-link"
            to="/messages/$messageId"
            params={{ messageId: message.message_id }}
            style={{ color: 'var(--text-1)', whiteSpace: 'nowrap' }}
          >
            {message.to}
          </Link>
          <ModeBadge mode={message.mode} />
        </span>
      </td>
      <td className="col-type only-wide">
        <MessageType type={message.type} />
      </td>
      <td className="cell-message second">
        <div className="cut">{message.text || typeNames[message.type]}</div>
        {error && (
          <div className="cut small wrong">
            {error.whatsapp_error_code && <code>{error.whatsapp_error_code} </code>}
            {error.whatsapp_error_message ?? error.message}
          </div>
        )}
      </td>
      <td className="col-reference only-wide quiet mono cut" style={{ maxWidth: 160 }}>
        {message.reference}
      </td>
      <td className="quiet">{message.api_key_name ?? 'Deleted key'}</td>
      <td className="end quiet">
        <Moment at={message.created_at} />
      </td>
    </tr>
  );
}

/** Searches when somebody is done typing: the API compares whole values. */
function SearchField({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form onSubmit={submit} className="search">
      <TextInput
        aria-label="Recipient, reference or message id"
        placeholder="Recipient, reference or message id"
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => text.trim() !== value && onSearch(text.trim())}
      />
    </form>
  );
}
