import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconMessages, IconTerminal2 } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { keysQuery, type MessageFilter, messagesQuery } from '../api/queries.ts';
import type { Message } from '../api/types.ts';
import { ChoiceFilter } from '../parts/choice-filter.tsx';
import { curlOf } from '../parts/code-samples.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { FailureReason } from '../parts/failure-reason.tsx';
import { idForm } from '../parts/id-form.ts';
import { ListFoot } from '../parts/list-foot.tsx';
import { MessageType, typeNames } from '../parts/message-type.tsx';
import { Moment } from '../parts/moment.tsx';
import { NoMatch } from '../parts/no-match.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState } from '../parts/query-state.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge, StatusBadge, wordOf } from '../parts/status-badge.tsx';
import { Table } from '../parts/table.tsx';
import { printed } from '../playground/payloads.ts';
import { kindOf, routeOf } from '../playground/playground-types.ts';
import { usePlace } from '../session/session.tsx';
import { searchFilter } from './message-search.ts';
import { beginOf, periods } from './periods.ts';

const statuses = ['queued', 'sending', 'unconfirmed', 'sent', 'delivered', 'read', 'failed'];
/** Everything that the keys sent. */
export function MessagesPage() {
  const { accountId } = usePlace();
  const search = useSearch({ from: '/messages' });
  const navigate = useNavigate({ from: '/messages' });
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  // The address may hold unknown filter values; they are ignored.
  const status = statuses.find((each) => each === search.status);
  const type = Object.keys(typeNames).find((each) => each === search.type);
  const keyId = search.key && idForm.test(search.key) ? search.key : undefined;
  const since = search.accepted && beginOf(search.accepted);
  const period = since && search.accepted && periods[search.accepted];
  const filter: MessageFilter = {
    ...(status && { status }),
    ...(type && { type }),
    ...(keyId && { key_id: keyId }),
    ...(since && { created_after: since }),
    ...(search.q && searchFilter(search.q)),
  };
  const messages = useInfiniteQuery(messagesQuery(accountId, filter));
  const rows = messages.data?.pages.flatMap((page) => page.messages) ?? [];
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true });
  const isFiltered = Object.keys(filter).length > 0;
  const keyName = keyId && (keys.find(({ id }) => id === keyId)?.name ?? 'Another key');
  return (
    <>
      <PageHeader title="Messages" sentence="Everything your keys sent, newest first." />
      <StaleNotice query={messages} />
      <div className="filters">
        <SearchField
          key={search.q}
          label="Recipient, reference or message id"
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
          value={status}
          onChange={(next) => change({ status: next })}
        />
        <ChoiceFilter
          name="Key"
          choices={keys.map(({ name }) => name)}
          value={keyName}
          isVerbatim
          onChange={(name) => change({ key: keys.find((key) => key.name === name)?.id })}
        />
        <ChoiceFilter
          name="Type"
          choices={Object.keys(typeNames)}
          value={type}
          onChange={(next) => change({ type: next })}
        />
        <ChoiceFilter
          name="Accepted"
          choices={Object.values(periods)}
          value={period || undefined}
          isVerbatim
          any="Any time"
          onChange={(name) =>
            change({ accepted: Object.keys(periods).find((each) => periods[each] === name) })
          }
        />
      </div>
      <div className="card table-box">
        <Table
          className="entries messages-table"
          heads={[
            'Status',
            'To',
            ['Type', 'col-type'],
            'Message',
            ['Reference', 'col-reference'],
            'Key',
            ['Accepted', 'end'],
          ]}
        >
          {rows.map((message) => (
            <MessageRow key={message.message_id} message={message} />
          ))}
        </Table>
        <ListState
          query={messages}
          rows={rows}
          empty={
            isFiltered ? (
              <NoMatch
                title="No message matches"
                filters={[
                  search.q && `“${search.q}”`,
                  status && wordOf(status),
                  keyName,
                  type && wordOf(type),
                  period,
                ]}
                onClear={() => void navigate({ search: {} })}
              />
            ) : (
              <NoMessage />
            )
          }
        >
          {() => <ListFoot shown={rows.length} query={messages} />}
        </ListState>
      </div>
    </>
  );
}

/** What to do where nothing was sent yet. */
function NoMessage() {
  const { session } = usePlace();
  const clipboard = useClipboard({ timeout: 1_500 });
  const curl = curlOf({
    url: `${session.public_url}${routeOf('button')}`,
    body: printed(kindOf.button.sample),
  });
  return (
    <EmptyState
      icon={IconMessages}
      title="No message yet"
      sentence="Messages sent with your keys, with live status."
      action={
        <div className="row wrap empty-actions">
          <Button
            component={Link}
            to="/playground"
            variant="filled"
            leftSection={<IconTerminal2 size={16} stroke={1.65} />}
          >
            Send one in the playground
          </Button>
          <Button onClick={() => clipboard.copy(curl)}>
            {clipboard.copied ? 'Copied' : 'Copy a curl command'}
          </Button>
        </div>
      }
    />
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
            {message.to ?? message.to_user_id}
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
            <FailureReason error={error} />
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
