import { Button } from '@mantine/core';
import { IconRoute, IconRouteOff } from '@tabler/icons-react';
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AskedTime } from '../api/lists.ts';
import { type RequestFilter, requestCountQuery } from '../api/request-queries.ts';
import type { ApiRequest } from '../api/types.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { MatchCount } from '../lists/match-count.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { Table } from '../lists/table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { HttpCode } from '../parts/http-code.tsx';
import { Moment } from '../parts/moment.tsx';
import { amount } from '../parts/numbers.ts';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge } from '../parts/status-badge.tsx';
import { duration } from '../parts/times.ts';
import { zoneName } from '../parts/zone.ts';
import { useAskedAccount } from './asked-account.ts';
import { codeMeaning, strangersOrigin, strangersTitle } from './request-words.ts';

interface RequestListProps {
  readonly query: UseInfiniteQueryResult;
  readonly rows: readonly ApiRequest[];
  readonly filter: RequestFilter;
  readonly time: AskedTime;
  readonly isFiltered: boolean;
  /** Whether the text that is sought is none that requests can be found by. */
  readonly isUnread: boolean;
  /** As people read it. */
  readonly filterNames: readonly (string | undefined)[];
  /** The id of the opened request. */
  readonly chosen: string | undefined;
  /** For how many days requests are kept; undefined while that is not known. */
  readonly keptDays: number | undefined;
  readonly onClear: () => void;
}

/** Requests, the newest first, and how many there are. */
export function RequestList(props: RequestListProps) {
  const { query, rows, filter, time, isFiltered, isUnread, filterNames } = props;
  const { chosen, keptDays, onClear } = props;
  return (
    <div className="stack" style={{ gap: 0 }}>
      <StaleNotice query={query} />
      <div className="card table-box">
        {rows.length > 0 && <MatchLine filter={filter} time={time} />}
        <Table
          className="entries requests-table"
          heads={[
            `Time (${zoneName()})`,
            'Call',
            'Answer',
            ['Key', 'col-key'],
            ['Latency', 'end col-latency'],
          ]}
        >
          {rows.map((request) =>
            request.request_id === null ? (
              <StrangersRow
                key={[request.at, request.address, request.status, request.code].join(' ')}
                request={request}
              />
            ) : (
              <RequestRow
                key={request.request_id}
                request={request}
                id={request.request_id}
                isChosen={request.request_id === chosen}
              />
            ),
          )}
        </Table>
        <ListState
          query={query}
          rows={rows}
          empty={
            isUnread || isFiltered ? (
              <NoMatch
                title={isUnread ? 'The search was not understood' : 'No request matches'}
                filters={filterNames}
                onClear={onClear}
              />
            ) : (
              <NoRequest keptDays={keptDays} />
            )
          }
        >
          {() => <ListFoot shown={rows.length} query={query} />}
        </ListState>
      </div>
    </div>
  );
}

function NoRequest({ keptDays }: { keptDays: number | undefined }) {
  if (keptDays === 0) {
    return (
      <EmptyState
        icon={IconRouteOff}
        title="Requests are not logged"
        sentence="REQUEST_LOG_DAYS is 0. With 1 to 90, the API keeps every request for so many days."
      />
    );
  }
  return (
    <EmptyState
      icon={IconRoute}
      title="No request yet"
      sentence="Every call with an API key is listed here, accepted or refused, and why. The playground’s are not among them."
      action={
        <Button component={Link} to="/keys">
          Open API keys
        </Button>
      }
    />
  );
}

/** How many requests match, how many of them were refused, and what the code means that they are narrowed to. */
function MatchLine({ filter, time }: Pick<RequestListProps, 'filter' | 'time'>) {
  const accountId = useAskedAccount();
  const found = useQuery(requestCountQuery(accountId, filter, time)).data;
  const isSplit = filter.refused === undefined && filter.code === undefined;
  const refused = useQuery({
    ...requestCountQuery(accountId, { ...filter, refused: 'true' }, time),
    enabled: isSplit,
  }).data;
  const { code } = filter;
  return (
    <p className="match-line" aria-live="polite">
      {found ? <MatchCount found={found} /> : ' '}
      {isSplit && refused && (
        <span className="secondary">
          {' '}
          · {amount(refused.total)}
          {!refused.isExact && '+'} refused
        </span>
      )}
      {code && (
        <span className="secondary">
          {' '}
          · {code}: {codeMeaning(code) ?? 'no code of this version'}
        </span>
      )}
    </p>
  );
}

interface RequestRowProps {
  readonly request: ApiRequest;
  readonly id: string;
  readonly isChosen: boolean;
}

function RequestRow({ request, id, isChosen }: RequestRowProps) {
  const { method, route, code, status, api_key_name: keyName, latency_ms: latencyMs } = request;
  return (
    <tr data-link data-chosen={isChosen}>
      <td className="cell-time quiet">
        <Moment at={request.at} to="millisecond" />
        <span className="also-key"> · {keyName ?? 'Deleted key'}</span>
      </td>
      <td className="cell-call">
        <Link
          id={rowIdOf(id)}
          className="row-link request-call cut"
          to="/requests"
          search={(before) => ({ ...before, request_id: id })}
          resetScroll={false}
          aria-current={isChosen ? 'true' : undefined}
        >
          <span className="quiet">{method}</span> {route ?? 'unknown route'}
        </Link>
        {code && <div className="request-code wrong cut">{code}</div>}
      </td>
      <td className="first-end">
        <HttpCode status={status} />
      </td>
      <td className="col-key only-wide">
        <span className="row">
          <span className="cut">{keyName ?? 'Deleted key'}</span>
          {request.mode && <ModeBadge mode={request.mode} />}
        </span>
      </td>
      <td className="end quiet col-latency">{latencyMs !== null && duration(latencyMs)}</td>
    </tr>
  );
}

/** The element of a row that the focus goes to. */
export const rowIdOf = (requestId: string) => `row-${requestId}`;

/** Requests without a known key are only counted: there is nothing to open, but more of the same address. */
function StrangersRow({ request }: { request: ApiRequest }) {
  const { address } = request;
  return (
    <tr {...(address !== null && { 'data-link': true })}>
      <td className="cell-time quiet">
        <Moment at={request.at} to="minute" />
      </td>
      <td className="cell-call">
        {address === null ? (
          <span className="strong">{strangersTitle(request)}</span>
        ) : (
          <Link
            className="row-link strong"
            to="/requests"
            search={(before) => ({ ...before, q: address.replace(/\/\d+$/, '') })}
          >
            {strangersTitle(request)}
          </Link>
        )}
        <div className="small cut">{strangersOrigin(request)}</div>
        {request.code && request.code !== 'INVALID_API_KEY' && (
          <div className="request-code wrong cut">{request.code}</div>
        )}
      </td>
      <td className="first-end">
        <HttpCode status={request.status} />
      </td>
      <td className="col-key only-wide quiet">None</td>
      <td className="end quiet col-latency">–</td>
    </tr>
  );
}
