import '../styles/manage.css';
import { IconChevronDown, IconChevronRight, IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { actionWords, auditActions } from '../../../src/audit/action-words.ts';
import { type AuditFilter, auditAsked, auditQuery, usersQuery } from '../api/account-queries.ts';
import { keysQuery } from '../api/key-queries.ts';
import type { AuditEntry } from '../api/types.ts';
import { ChoiceFilter } from '../lists/choice-filter.tsx';
import { ExportMenu } from '../lists/export-menu.tsx';
import { ListFoot } from '../lists/list-foot.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { SearchField } from '../lists/search-field.tsx';
import { Table } from '../lists/table.tsx';
import { TimeRangeBar } from '../lists/time-range-bar.tsx';
import { UnreadLine } from '../lists/unread-line.tsx';
import { unreadTime } from '../lists/unread-time.ts';
import { Fact } from '../parts/facts.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { askedTime, timeChoiceOf, timeWords } from '../parts/time-range.ts';
import { zoneName } from '../parts/zone.ts';
import { usePlace } from '../session/session.tsx';
import { changeLines, detailsOf, doneWords } from './change-lines.ts';
import type { DetailLink } from './detail-link.ts';
import { jobLink } from './job-link.ts';
import { subjectLink } from './subject-link.ts';
import { subjectName } from './subject-name.ts';
import { endpointWords, subjectPlace } from './subject-place.ts';

const JobFacts = lazyPart(() => import('./job-facts.tsx'), 'JobFacts');
const JobLine = lazyPart(() => import('./job-line.tsx'), 'JobLine');

/** Where a text is sought. */
const searched =
  'what was done, to what, who did it and from which address, and the names, addresses and values in the details';

/** Who did what, the newest first. */
export function AuditPage() {
  const { session, accountId, accounts } = usePlace();
  const isOperator = session.user.role === 'operator';
  const search = useSearch({ from: '/audit-log' });
  const navigate = useNavigate({ from: '/audit-log' });
  const users = useQuery({ ...usersQuery, enabled: isOperator }).data ?? [];
  const choice = timeChoiceOf(search);
  const time = askedTime(choice);
  const filter: AuditFilter = {
    ...(accountId && accounts.length > 1 && { account_id: accountId }),
    ...(isSearchable(search.q) && { q: search.q }),
    ...(search.user && { user_id: search.user }),
    ...(search.action && { action: search.action }),
    ...(search.subject && { subject_id: search.subject }),
  };
  const isUnread = Boolean(search.q) && !isSearchable(search.q);
  const entries = useInfiniteQuery(auditQuery(filter, time));
  const rows = isUnread ? [] : (entries.data?.pages.flatMap((page) => page.entries) ?? []);
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true });
  const period = timeWords(choice);
  const chosen = rows.find(({ subject_id: id }) => id === search.subject);
  const { q, user, action, subject } = search;
  const isFiltered = [filter.q, user, action, subject, period].some((each) => each !== undefined);
  const nameOfUser = (id: string) => users.find((one) => one.id === id)?.email ?? 'Another user';
  const actionOf = (words: string | undefined) =>
    Object.keys(auditActions).find((each) => auditActions[each] === words);
  return (
    <>
      <PageHeader
        title="Audit log"
        sentence={`Who did what${isOperator ? '' : ' in this account'}, when and from where. Entries cannot be changed or removed.`}
        actions={
          !isUnread && <ExportMenu path="/audit-log" asked={() => auditAsked(filter, time)} />
        }
      />
      <StaleNotice query={entries} />
      <div className="filters">
        <SearchField
          label="Any words of a row"
          value={q ?? ''}
          waits={(text) => text !== '' && !isSearchable(text)}
          onSearch={(text) => change({ q: text || undefined })}
        />
        {/* Only operators get the list of users; a link may name one all the same. */}
        {(isOperator || user) && (
          <ChoiceFilter
            name="User"
            choices={users.map(({ email }) => email)}
            value={user && nameOfUser(user)}
            isVerbatim
            onChange={(email) => change({ user: users.find((one) => one.email === email)?.id })}
          />
        )}
        <ChoiceFilter
          name="Action"
          choices={Object.values(auditActions)}
          value={search.action && actionWords(search.action)}
          isVerbatim
          onChange={(words) => change({ action: actionOf(words) })}
        />
        {search.subject && (
          <ChoiceFilter
            name="About"
            choices={[]}
            value={chosen ? (subjectName(chosen) ?? 'one thing') : 'one thing'}
            isVerbatim
            onChange={() => change({ subject: undefined })}
          />
        )}
      </div>
      {isUnread && (
        <p className="small wrong" role="alert">
          A search takes 2 to 100 characters.
        </p>
      )}
      <UnreadLine unread={unreadTime(search)} />
      <TimeRangeBar choice={choice} onChange={change} />
      <div className="card table-box">
        <ListState
          query={entries}
          rows={rows}
          empty={
            isUnread || isFiltered ? (
              <NoMatch
                title={isUnread ? 'The search was not understood' : 'No entry matches'}
                filters={[
                  q && `“${q}”`,
                  user && nameOfUser(user),
                  action && actionWords(action),
                  subject && 'one thing',
                  period,
                ]}
                searched={filter.q && searched}
                onClear={() => void navigate({ search: {} })}
              />
            ) : (
              {
                icon: IconHistory,
                title: 'No entry yet',
                sentence: 'Changes to keys, accounts, users and mappings are listed here.',
              }
            )
          }
        >
          {() => (
            <>
              <Table
                className="entries audit-table"
                heads={[
                  'What',
                  'About',
                  'Who',
                  ['From', 'col-address'],
                  [`At (${zoneName()})`, 'end'],
                ]}
              >
                {rows.map((entry) => (
                  <EntryRow key={entry.id} entry={entry} />
                ))}
              </Table>
              <ListFoot shown={rows.length} query={entries} />
            </>
          )}
        </ListState>
      </div>
    </>
  );
}

/** What the API takes; its texts are counted in characters. */
const isSearchable = (text: string | undefined) =>
  text !== undefined && text.length > 1 && Array.from(text).length <= 100;

function EntryRow({ entry }: { entry: AuditEntry }) {
  const [isOpen, setIsOpen] = useState(false);
  const lines = changeLines(entry);
  const place = subjectPlace(entry);
  const hasDetails = Object.keys(entry.details).length > 0;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            className="row-opener"
            aria-expanded={isOpen}
            disabled={!hasDetails}
            onClick={() => setIsOpen(!isOpen)}
          >
            {hasDetails && <Chevron size={15} aria-hidden="true" />}
            <span className="strong">{doneWords(entry)}</span>
          </button>
          {lines[0] && (
            <div className="small cut audit-line" title={lines.join('\n')}>
              {lines[0]}
              {lines.length > 1 && ` and ${lines.length - 1} more`}
            </div>
          )}
        </td>
        <td className="second cell-long">
          <SubjectLink entry={entry} />
          {entry.subject_type === 'job' && (
            <Suspense fallback={null}>
              <JobLine entry={entry} otherwise={place} />
            </Suspense>
          )}
          {place && entry.subject_type !== 'job' && (
            <div className="small cut" title={place}>
              {place}
            </div>
          )}
        </td>
        <td className="quiet cell-long">
          <div className="cut" title={entry.actor}>
            {entry.actor}
          </div>
        </td>
        <td className="col-address only-wide quiet mono">{entry.address}</td>
        <td className="end quiet">
          <Moment at={entry.at} />
        </td>
      </tr>
      {isOpen && (
        <tr className="details-row">
          <td colSpan={5} className="second">
            <dl className="facts card-body">
              {detailsOf(entry).map(({ name, text, lines: long, link }) => (
                <Fact key={name} name={name}>
                  {link ? (
                    <NamedLink link={link} entry={entry} />
                  ) : long ? (
                    <DetailLines lines={long} otherwise={text} />
                  ) : (
                    text
                  )}
                </Fact>
              ))}
              {entry.subject_type === 'job' && (
                <Suspense fallback={null}>
                  <JobFacts entry={entry} />
                </Suspense>
              )}
            </dl>
          </td>
        </tr>
      )}
    </>
  );
}

/** A long value, a line for each part. */
function DetailLines({ lines, otherwise }: { lines: readonly string[]; otherwise: string }) {
  if (lines.length === 0) return otherwise;
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** A value that is an id: the name of the thing, with a link to its page where the user may open it. */
function NamedLink({ link, entry }: { link: DetailLink; entry: AuditEntry }) {
  const { session, accounts } = usePlace();
  const { to, kind, id, otherwise } = link;
  const keys = useQuery({ ...keysQuery(null), enabled: kind === 'key' }).data ?? [];
  const named = kind === 'account' ? accounts : keys;
  const name =
    kind === 'endpoint' ? endpointWords(entry) : named.find((one) => one.id === id)?.name;
  if (kind === 'account' && session.user.role !== 'operator') return name ?? otherwise;
  return <Link {...to}>{name ?? otherwise}</Link>;
}

/** What the entry is about, with a link if it still exists and has a page that the user may open. */
function SubjectLink({ entry }: { entry: AuditEntry }) {
  const { session } = usePlace();
  const name = subjectName(entry);
  const cut = { className: 'cut', title: name ?? undefined };
  const link = subjectLink(entry, session.user.role === 'operator') ?? jobLink(entry);
  if (!link) return <div {...cut}>{name}</div>;
  return (
    <Link {...link} {...cut}>
      {name}
    </Link>
  );
}
