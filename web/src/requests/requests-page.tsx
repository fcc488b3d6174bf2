import './requests.css';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, Suspense } from 'react';
import { keysQuery } from '../api/key-queries.ts';
import { requestCountQuery, requestsAsked, requestsQuery } from '../api/request-queries.ts';
import type { ApiKey } from '../api/types.ts';
import { ChoiceFilter } from '../lists/choice-filter.tsx';
import { ExportMenu } from '../lists/export-menu.tsx';
import { SearchField } from '../lists/search-field.tsx';
import { TimeRangeBar } from '../lists/time-range-bar.tsx';
import { UnreadLine } from '../lists/unread-line.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { counted } from '../parts/numbers.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { wordOf } from '../parts/status-badge.tsx';
import { askedTime, timeChoiceOf, timeWords } from '../parts/time-range.ts';
import { useAskedAccount } from './asked-account.ts';
import { externalRoutes } from './external-routes.ts';
import { RequestList, rowIdOf } from './request-list.tsx';
import {
  addressIn,
  isUnreadText,
  type RequestSearch,
  requestFilter,
  requestIdIn,
  results,
  unreadParts,
} from './request-search.ts';
import { loggedCodes, statusChoices } from './request-words.ts';

const RequestCard = lazyPart(() => import('./request-card.tsx'), 'RequestCard');

/** Every call of the external API: a list, and one request next to it. */
export function RequestsPage() {
  const accountId = useAskedAccount();
  const search = useSearch({ from: '/requests' });
  const navigate = useNavigate({ from: '/requests' });
  const isNarrow = useMediaQuery('(max-width: 1023px)', false, { getInitialValueInEffect: false });
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  const choice = timeChoiceOf(search);
  const time = askedTime(choice);
  const filter = requestFilter(search);
  const period = timeWords(choice);
  const isFiltered = Object.keys(filter).length > 0 || period !== undefined;
  const requests = useInfiniteQuery(requestsQuery(accountId, filter, time));
  const isUnread = isUnreadText(search.q);
  const rows = isUnread ? [] : (requests.data?.pages.flatMap((page) => page.requests) ?? []);
  const { keptDays } = useQuery(requestCountQuery(accountId, filter, time)).data ?? {};
  const openedId = requestIdIn(search.request_id ?? search.q ?? '');
  const change = (changed: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...changed }, replace: true });
  const clear = () =>
    void navigate({
      search: { request_id: search.request_id, ...(filter.mode && { mode: 'both' }) },
    });
  // Lines of requests without a known key cannot be opened.
  const ids = rows.flatMap(({ request_id: id }) => id ?? []);
  const at = openedId ? ids.indexOf(openedId) : -1;
  const moveTo = (id: string | undefined) =>
    id === undefined
      ? undefined
      : () => {
          // Where the focus is on a row, it goes along.
          if (document.activeElement?.matches('.requests-table .row-link')) {
            document.getElementById(rowIdOf(id))?.focus();
          }
          void navigate({
            search: { ...search, request_id: id },
            replace: true,
            resetScroll: false,
          });
        };
  const onNewer = at > 0 ? moveTo(ids[at - 1]) : undefined;
  const onOlder = at >= 0 ? moveTo(ids[at + 1]) : undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowUp: onNewer, ArrowDown: onOlder }[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    move();
  };
  const isDetailAlone = isNarrow && openedId !== undefined;
  return (
    <>
      <PageHeader
        // Alone, the thing is a page of its own.
        key={String(isDetailAlone)}
        title={isDetailAlone ? 'Request' : 'Requests'}
        crumb={
          isDetailAlone && (
            <Link to="/requests" search={{ ...search, request_id: undefined }}>
              Requests
            </Link>
          )
        }
        sentence={!isDetailAlone && sentenceOf(keptDays)}
        actions={
          !isDetailAlone &&
          !isUnread && (
            <ExportMenu path="/requests" asked={() => requestsAsked(accountId, filter, time)} />
          )
        }
      />
      {!isDetailAlone && (
        <>
          <Filters
            search={search}
            keys={keys}
            isFiltered={isFiltered}
            onChange={change}
            onClear={clear}
          />
          <UnreadLine unread={unreadParts(search, filter)} />
          <TimeRangeBar choice={choice} onChange={change} />
        </>
      )}
      {/* The list and what is open in it: the arrows move through both. */}
      {/* oxlint-disable-next-line no-static-element-interactions */}
      <div
        className="list-and-detail requests"
        data-detail={openedId !== undefined}
        onKeyDown={onKeyDown}
      >
        {!isDetailAlone && (
          <RequestList
            query={requests}
            rows={rows}
            filter={filter}
            time={time}
            isFiltered={isFiltered}
            isUnread={isUnread}
            filterNames={[
              search.q && `“${search.q}”`,
              filter.refused && wordOf(search.result ?? ''),
              filter.route,
              filter.status && `status ${filter.status}`,
              filter.code,
              filter.key_id && keyNameOf(keys, filter.key_id),
              filter.mode && wordOf(filter.mode),
              period,
            ]}
            chosen={openedId}
            keptDays={keptDays}
            onClear={clear}
          />
        )}
        {openedId !== undefined && (
          <div className="stay">
            <Suspense
              fallback={
                <div className="card">
                  <Skeleton />
                </div>
              }
            >
              <RequestCard
                id={openedId}
                listed={rows.find((row) => row.request_id === openedId)}
                onNewer={onNewer}
                onOlder={onOlder}
                onClose={() =>
                  change({
                    request_id: undefined,
                    ...(requestIdIn(search.q ?? '') && { q: undefined }),
                  })
                }
              />
            </Suspense>
          </div>
        )}
      </div>
    </>
  );
}

function sentenceOf(keptDays: number | undefined): string {
  const kept = keptDays ? `, kept for ${counted(keptDays, 'day')}` : '';
  return `Every call of the external API, accepted and refused${kept}. Recipients are not stored, and bodies only of keys that have them kept for an hour.`;
}

const keyNameOf = (keys: readonly ApiKey[], id: string) =>
  keys.find((key) => key.id === id)?.name ?? 'Another key';

interface FiltersProps {
  readonly search: RequestSearch;
  readonly keys: readonly ApiKey[];
  readonly isFiltered: boolean;
  readonly onChange: (change: Partial<RequestSearch> & { request_id?: string }) => void;
  readonly onClear: () => void;
}

function Filters({ search, keys, isFiltered, onChange, onClear }: FiltersProps) {
  const filter = requestFilter(search);
  return (
    <>
      <div className="filters">
        <SearchField
          label="Request id or address"
          value={search.q ?? ''}
          waits={(text) => text !== '' && !addressIn(text)}
          onSearch={(text) => {
            const id = requestIdIn(text);
            onChange(id ? { request_id: id, q: undefined } : { q: text || undefined });
          }}
        />
        <fieldset className="segments">
          <legend className="unseen">Result</legend>
          {[undefined, ...results].map((result) => (
            <button
              key={result ?? 'all'}
              type="button"
              aria-pressed={(search.result || undefined) === result}
              onClick={() => onChange({ result })}
            >
              {wordOf(result ?? 'all')}
            </button>
          ))}
        </fieldset>
        <ChoiceFilter
          name="Route"
          choices={externalRoutes}
          value={filter.route}
          isVerbatim
          onChange={(route) => onChange({ route })}
        />
        <ChoiceFilter
          name="Status"
          choices={statusChoices}
          value={filter.status}
          isVerbatim
          onChange={(status) => onChange({ status })}
        />
        <ChoiceFilter
          name="Error code"
          choices={loggedCodes}
          value={filter.code}
          isVerbatim
          onChange={(code) => onChange({ code })}
        />
        <ChoiceFilter
          name="Key"
          choices={keys.map(({ name }) => name)}
          value={filter.key_id && keyNameOf(keys, filter.key_id)}
          isVerbatim
          onChange={(name) => onChange({ key: keys.find((key) => key.name === name)?.id })}
        />
        {isFiltered && (
          <button type="button" className="link" onClick={onClear}>
            Clear all
          </button>
        )}
      </div>
      {isUnreadText(search.q) && (
        <p className="small wrong search-fault" role="alert">
          “{search.q}” is neither a request id (req_ and 32 digits) nor an IP address.
        </p>
      )}
    </>
  );
}
