import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { messageStatuses } from '../../../src/messages/rows/message-status.ts';
import { keysQuery } from '../api/key-queries.ts';
import { type AskedTime } from '../api/lists.ts';
import {
  type MessageFilter,
  messageCountQuery,
  messagesAsked,
  messagesQuery,
} from '../api/message-queries.ts';
import type { Message } from '../api/types.ts';
import { ChoiceFilter } from '../lists/choice-filter.tsx';
import { CodeFilter } from '../lists/code-filter.tsx';
import { ExportMenu } from '../lists/export-menu.tsx';
import { fewDigits } from '../lists/few-digits.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { ManyFilter } from '../lists/many-filter.tsx';
import { MatchCount } from '../lists/match-count.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { SearchField } from '../lists/search-field.tsx';
import { SelectCell, type Selection, SelectionBar, useSelection } from '../lists/selection.tsx';
import { Table } from '../lists/table.tsx';
import { TimeRangeBar } from '../lists/time-range-bar.tsx';
import { unreadOf, unreadWords } from '../lists/unread-filters.ts';
import { UnreadLine } from '../lists/unread-line.tsx';
import { unreadTime } from '../lists/unread-time.ts';
import { comparedWords, lastDigitsWords } from '../parts/compared-words.ts';
import { FailureReason } from '../parts/failure-reason.tsx';
import { idForm } from '../parts/id-form.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { MessageType } from '../parts/message-type.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge, StatusBadge, wordOf } from '../parts/status-badge.tsx';
import { askedTime, timeChoiceOf, timeWords } from '../parts/time-range.ts';
import { isKnownType, typeNameOf, typeNames } from '../parts/type-names.ts';
import { zoneName } from '../parts/zone.ts';
import { ForChangers } from '../session/changers.tsx';
import { usePlace } from '../session/session.tsx';

const ResendSeveral = lazyPart(() => import('./resend-several.tsx'), 'ResendSeveral');
const CodeMeaning = lazyPart(() => import('./code-meaning.tsx'), 'CodeMeaning');
const AllMatching = lazyPart(() => import('../lists/all-matching.tsx'), 'AllMatching');
const JobLines = lazyPart(() => import('../lists/job-lines.tsx'), 'JobLines');
const NoMessage = lazyPart(() => import('./no-message.tsx'), 'NoMessage');

/** Everything that the keys sent. */
export function MessagesPage() {
  const { session, accountId, accounts, mode } = usePlace();
  const search = useSearch({ from: '/messages' });
  const navigate = useNavigate({ from: '/messages' });
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  // The address may hold unknown filter values; the page says which.
  const chosen = messageStatuses.filter((each) => search.status?.split(',').includes(each));
  const type = search.type && isKnownType(search.type) ? search.type : undefined;
  const keyId = search.key && idForm.test(search.key) ? search.key : undefined;
  const code = search.code && /^\d{1,6}$/.test(search.code) ? search.code : undefined;
  const resent = resentChoices.find(({ value }) => value === search.resent);
  const choice = timeChoiceOf(search);
  const time = askedTime(choice);

  const filter: MessageFilter = {
    ...(chosen.length > 0 && { status: chosen.join(',') }),
    ...(type && { type }),
    ...(mode && { mode }),
    ...(keyId && { key_id: keyId }),
    ...(code && { error_code: Number(code) }),
    ...(resent && { resent: resent.isResent }),
    ...(search.q && { q: search.q }),
  };
  const unread = [
    ...unreadWords('status', search.status, messageStatuses),
    ...unreadOf(
      { type: search.type, key: search.key, code: search.code, resent: search.resent },
      { type, key: keyId, code, resent },
    ),
    ...unreadTime(search),
  ];
  const messages = useInfiniteQuery(messagesQuery(accountId, filter, time));
  const rows = messages.data?.pages.flatMap((page) => page.messages) ?? [];
  const selection = useSelection(rows, ({ message_id: id }) => id);
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true });
  const clear = () => void navigate({ search: mode ? { mode: 'both' } : {} });
  const period = timeWords(choice);
  const isFiltered = Object.keys(filter).length > 0 || period !== undefined;
  const keyName = keyId && (keys.find(({ id }) => id === keyId)?.name ?? 'Another key');
  const hasAccounts = accountId === null && accounts.length > 1;
  const kindOfJob = jobOf(chosen);
  const found = useQuery({
    ...messageCountQuery(accountId, filter, time),
    enabled: kindOfJob !== null,
  }).data;
  return (
    <>
      <PageHeader
        title="Messages"
        sentence="Everything your keys sent, newest first."
        actions={
          <>
            {kindOfJob && (
              <ForChangers>
                <Suspense fallback={null}>
                  <AllMatching
                    kind={kindOfJob}
                    found={found}
                    asked={() => messagesAsked(accountId, filter, time)}
                  />
                </Suspense>
              </ForChangers>
            )}
            <ExportMenu path="/messages" asked={() => messagesAsked(accountId, filter, time)} />
          </>
        }
      />
      <StaleNotice query={messages} />
      <Suspense fallback={null}>
        <JobLines accountId={accountId} kinds={['resend', 'cancel']} user={session.user.email} />
      </Suspense>
      <div className="filters">
        <SearchField
          label="Number, name, reference or id"
          value={search.q ?? ''}
          waits={(q) => idForm.test(q)}
          onSearch={(q) => {
            if (idForm.test(q))
              void navigate({ to: '/messages/$messageId', params: { messageId: q } });
            else change({ q: q || undefined });
          }}
        />
        <ManyFilter
          name="Status"
          choices={messageStatuses}
          values={chosen}
          onChange={(next) => change({ status: next.join(',') || undefined })}
        />
        <CodeFilter value={code} onChange={(next) => change({ code: next })} />
        {(resent || mayBeResent(chosen)) && (
          <ChoiceFilter
            name="Sent again"
            choices={resentChoices.map(({ word }) => word)}
            value={resent?.word}
            isVerbatim
            any="Either"
            onChange={(word) =>
              change({ resent: resentChoices.find((each) => each.word === word)?.value })
            }
          />
        )}
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
        {isFiltered && (
          <button type="button" className="link" onClick={clear}>
            Clear all
          </button>
        )}
      </div>
      <UnreadLine unread={unread} />
      <TimeRangeBar choice={choice} onChange={change} />
      <div className="card table-box">
        {isFiltered && <MatchLine filter={filter} time={time} code={code} />}
        <Table
          className="entries messages-table"
          isSelectable
          heads={[
            'Status',
            'To',
            ...(hasAccounts ? [['Account', 'col-account'] as const] : []),
            ['Type', 'col-type'],
            'Message',
            ['Reference', 'col-reference'],
            ['Key', 'col-key'],
            [`Accepted (${zoneName()})`, 'end'],
          ]}
        >
          {rows.map((message) => (
            <MessageRow
              key={message.message_id}
              message={message}
              selection={selection}
              account={
                hasAccounts
                  ? (accounts.find(({ id }) => id === message.account_id)?.name ?? '')
                  : null
              }
            />
          ))}
        </Table>
        <ListState
          query={messages}
          rows={rows}
          empty={
            isFiltered ? (
              <NoMatch
                title="No message matches"
                advice={fewDigits(search.q)}
                searched={
                  search.q &&
                  `ids; numbers in any notation, or their last four digits; contacts’ ${comparedWords}. The text of messages is not searched. ${lastDigitsWords}`
                }
                filters={[
                  search.q && `“${search.q}”`,
                  chosen.map(wordOf).join(', ') || undefined,
                  code && `error code ${code}`,
                  resent && (resent.value === 'yes' ? 'sent again' : 'not sent again'),
                  keyName,
                  type && wordOf(type),
                  mode && wordOf(mode),
                  period,
                ]}
                onClear={clear}
              />
            ) : (
              <Suspense fallback={null}>
                <NoMessage />
              </Suspense>
            )
          }
        >
          {() => <ListFoot shown={rows.length} query={messages} />}
        </ListState>
        <SelectionBar selection={selection}>
          <ForChangers otherwise="Viewers change nothing">
            <ResendSeveral selection={selection} />
          </ForChangers>
        </SelectionBar>
      </div>
    </>
  );
}

const resentChoices = [
  { value: 'yes', word: 'Yes', isResent: 'true' },
  { value: 'no', word: 'No', isResent: 'false' },
] as const;

/** Whether all messages of the chosen statuses are of a kind that people send again. */
const mayBeResent = (statuses: readonly string[]) =>
  statuses.length > 0 && statuses.every((each) => each === 'failed' || each === 'unconfirmed');

/** What can be done to all messages of the chosen statuses. */
function jobOf(statuses: readonly string[]): 'resend' | 'cancel' | null {
  if (statuses.join() === 'failed') return 'resend';
  const isWaiting = statuses.every((each) => each === 'scheduled' || each === 'queued');
  return isWaiting && statuses.length > 0 ? 'cancel' : null;
}

interface MatchLineProps {
  readonly filter: MessageFilter;
  readonly time: AskedTime;
  readonly code: string | undefined;
}

/** How many messages match, and what the code means that they are narrowed to. */
function MatchLine({ filter, time, code }: MatchLineProps) {
  const { accountId } = usePlace();
  const found = useQuery(messageCountQuery(accountId, filter, time)).data;
  return (
    <p className="match-line" aria-live="polite">
      {found && <MatchCount found={found} />}
      {code && (
        <span className="secondary">
          {found && ' · '}
          {code}
          <Suspense fallback={null}>
            <CodeMeaning code={code} />
          </Suspense>
        </span>
      )}
    </p>
  );
}

interface MessageRowProps {
  readonly message: Message;
  readonly selection: Selection<Message>;
  /** Its name; null where the page is about one account. */
  readonly account: string | null;
}

function MessageRow({ message, selection, account }: MessageRowProps) {
  const { error, to, to_user_id: userId } = message;
  return (
    <tr data-link data-chosen={selection.isChosen(message)}>
      <SelectCell
        selection={selection}
        row={message}
        name={`the message to ${to ?? userId ?? 'nobody'}`}
      />
      <td className="first-end">
        <StatusBadge status={message.status} />
      </td>
      <td className="cell-to">
        <span className="row">
          <Link
            className="row-link strong cut"
            to="/messages/$messageId"
            params={{ messageId: message.message_id }}
          >
            {to ?? userId}
          </Link>
          <ModeBadge mode={message.mode} />
        </span>
        {message.recipient_name && (
          <div className="cut small" title={message.recipient_name}>
            <bdi>{message.recipient_name}</bdi>
          </div>
        )}
      </td>
      {account !== null && <td className="col-account quiet cut">{account}</td>}
      <td className="col-type only-wide">
        <MessageType type={message.type} />
      </td>
      <td className="cell-message second">
        <div className="cut">
          {message.text || typeNameOf(message.type)}
          {message.campaign_name && (
            <span className="quiet"> · campaign {message.campaign_name}</span>
          )}
        </div>
        {error && (
          <div className="small wrong reason">
            <FailureReason error={error} type={message.type} />
          </div>
        )}
      </td>
      <td className="col-reference only-wide quiet mono cut">{message.reference}</td>
      <td className="col-key quiet cut">{message.api_key_name ?? 'Deleted key'}</td>
      <td className="end quiet">
        <Moment at={message.created_at} />
      </td>
    </tr>
  );
}
