import { ForChangers } from '../session/changers.tsx';
import './deliveries.css';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconWebhook } from '@tabler/icons-react';
import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { whatsappEventForm, whatsappFields } from '../../../src/events/whatsapp-fields.ts';
import {
  type DeliveryFilter,
  deliveriesAsked,
  deliveriesQuery,
  deliveryCountQuery,
  deliveryQuery,
} from '../api/delivery-queries.ts';
import { keysQuery } from '../api/key-queries.ts';
import type { Delivery, ListedEndpoint } from '../api/types.ts';
import { ChoiceFilter } from '../lists/choice-filter.tsx';
import { ExportMenu } from '../lists/export-menu.tsx';
import { fewDigits } from '../lists/few-digits.ts';
import { ListFoot } from '../lists/list-foot.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { SearchField } from '../lists/search-field.tsx';
import { SelectionBar, useSelection } from '../lists/selection.tsx';
import { Table } from '../lists/table.tsx';
import { TimeRangeBar } from '../lists/time-range-bar.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { idForm } from '../parts/id-form.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { eventLines } from '../parts/permissions.ts';
import { ListState } from '../parts/query-state.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { wordOf } from '../parts/status-badge.tsx';
import { askedTime, timeChoiceOf, timeWords } from '../parts/time-range.ts';
import { zoneName } from '../parts/zone.ts';
import { usePlace } from '../session/session.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { deliveryTitle } from './delivery-title.ts';
import { EndpointStrip } from './endpoints/endpoint-strip.tsx';
import { endpointsOfAllKeys } from './endpoints/endpoints-of-all-keys.ts';
import { onlyEndpoint } from './endpoints/only-endpoint.ts';
import { calledName, namedLike, placeWords } from './endpoints/strip-words.ts';
import { TestEventButton } from './endpoints/test-event-button.tsx';
import { MatchLine } from './match-line.tsx';

const RedeliverSeveral = lazyPart(() => import('./redeliver-several.tsx'), 'RedeliverSeveral');
const AllMatching = lazyPart(() => import('../lists/all-matching.tsx'), 'AllMatching');
const JobLines = lazyPart(() => import('../lists/job-lines.tsx'), 'JobLines');
const StillFails = lazyPart(() => import('./endpoints/still-fails.tsx'), 'StillFails');
const DeliveryCard = lazyPart(() => import('./delivery-card.tsx'), 'DeliveryCard');

const statuses = ['waiting', 'pending', 'retrying', 'succeeded', 'failed'] as const;
const events = [...eventLines.map(({ name }) => name), 'webhook.test'];

/** What endpoints in WhatsApp's own form get. Only the most usual fields are offered. */
const whatsappEvents = whatsappFields.map((field) => `whatsapp.${field}`);

/** Whether a filter says what it is about: a status, or an endpoint, and not the mode alone. */
const narrows = (filter: DeliveryFilter) => Object.keys(filter).some((name) => name !== 'mode');

/** Deliveries and their answers: a list, and one delivery next to it. */
export function DeliveriesPage() {
  const { session, accountId, mode } = usePlace();
  const { deliveryId } = useParams({ strict: false });
  const search = useSearch({ from: '/webhooks-page' });
  const navigate = useNavigate();
  const isNarrow = useMediaQuery('(max-width: 1023px)', false, { getInitialValueInEffect: false });
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  // The address may hold unknown filter values; they are ignored.
  const status = statuses.find((each) => each === search.status);
  const event =
    events.find((each) => each === search.event) ?? search.event?.match(whatsappEventForm)?.[0];
  const keyId = search.key && idForm.test(search.key) ? search.key : undefined;
  const messageId = search.message && idForm.test(search.message) ? search.message : undefined;
  const endpointId = search.endpoint && idForm.test(search.endpoint) ? search.endpoint : undefined;
  const choice = timeChoiceOf(search);
  const time = askedTime(choice);
  const filter: DeliveryFilter = {
    ...(status && { status }),
    ...(event && { event }),
    ...(keyId && { key_id: keyId }),
    ...(messageId && { message_id: messageId }),
    ...(endpointId && { endpoint_id: endpointId }),
    ...(search.q && { q: search.q }),
    ...(mode && { mode }),
  };
  const change = (changed: Partial<typeof search>) =>
    void navigate({ to: '.', search: { ...search, ...changed }, replace: true });
  const openDelivery = ({ id }: Delivery) =>
    void navigate({ to: '/webhooks/$deliveryId', params: { deliveryId: id }, search });
  const keyName = keyId && (keys.find(({ id }) => id === keyId)?.name ?? 'Another key');
  const messageName = messageId && `${messageId.slice(0, 8)}…`;
  const deliveries = useInfiniteQuery(deliveriesQuery(accountId, filter, time));
  const found = useQuery({
    ...deliveryCountQuery(accountId, filter, time),
    enabled: narrows(filter),
  }).data;
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const endpoints = useQuery(endpointsOfAllKeys(accountId, mode)).data;
  const endpointOf = (sought: string | undefined) =>
    endpoints?.find(({ endpoint_id: id }) => id === sought);
  const endpoint = endpointOf(endpointId);
  const inQuestion = (endpoints ?? []).filter(
    ({ endpoint_id: id, api_key_id: ofKey }) =>
      (!endpointId || id === endpointId) && (!keyId || ofKey === keyId),
  );
  const [tested, setTested] = useState<{ deliveryId: string; to: string } | null>(null);
  const openTest = (delivery: Delivery, to: ListedEndpoint) => {
    setTested({ deliveryId: delivery.id, to: placeWords(to) });
    openDelivery(delivery);
  };
  const nameOfEndpoint = (id: string) => {
    const known = endpointOf(id);
    return known && placeWords(known);
  };
  const isWhatsappHeard = endpoints?.some(({ format }) => format === 'whatsapp') ?? false;
  const endpointName = endpoint ? calledName(endpoint) : `${endpointId?.slice(0, 8)}…`;
  const isFiltered = Object.keys(filter).length > 0 || timeWords(choice) !== undefined;
  const clear = () => void navigate({ to: '.', search: mode ? { mode: 'both' } : {} });
  const isDetailAlone = isNarrow && deliveryId !== undefined;
  const opened = useQuery({ ...deliveryQuery(deliveryId ?? ''), enabled: isDetailAlone }).data;
  return (
    <>
      <PageHeader
        // Alone, the thing is a page of its own.
        key={isDetailAlone ? deliveryId : null}
        title={isDetailAlone ? (opened ? deliveryTitle(opened.delivery) : 'Delivery') : 'Webhooks'}
        crumb={
          isDetailAlone && (
            <Link to="/webhooks" search={search}>
              Webhooks
            </Link>
          )
        }
        sentence={!isDetailAlone && 'Events sent to your endpoints, and their answers.'}
        actions={
          !isDetailAlone && (
            <>
              {narrows(filter) && (
                <ForChangers>
                  <Suspense fallback={null}>
                    <AllMatching
                      kind="redeliver"
                      found={found}
                      asked={() => deliveriesAsked(accountId, filter, time)}
                      narrowed={(urls) => onlyEndpoint(inQuestion, urls)}
                      warning={(urls) => (
                        <StillFails
                          endpoints={inQuestion.filter(({ url }) => urls.includes(url))}
                        />
                      )}
                    />
                  </Suspense>
                </ForChangers>
              )}
              <ExportMenu
                path="/webhook-deliveries"
                asked={() => deliveriesAsked(accountId, filter, time)}
              />
              <TestEventButton endpoints={inQuestion} onSent={openTest} />
            </>
          )
        }
      />
      {tested?.deliveryId === deliveryId && tested && (
        <p className="small" role="status" style={{ marginBottom: 12 }}>
          Test event sent to {tested.to}.
        </p>
      )}
      {!isDetailAlone && (
        <>
          <Suspense fallback={null}>
            <JobLines
              accountId={accountId}
              kinds={['redeliver']}
              user={session.user.email}
              endpointName={nameOfEndpoint}
            />
          </Suspense>
          <EndpointStrip
            chosen={endpointId}
            isNarrow={isNarrow}
            onChoose={(id) => change({ endpoint: id })}
            onTested={openTest}
          />
          <div className="filters">
            <SearchField
              label="Number, contact’s name, reference or id"
              placeholder="Number, name, reference or id"
              value={search.q ?? ''}
              onSearch={(q) => change({ q: q || undefined })}
            />
            <ChoiceFilter
              name="Status"
              choices={statuses}
              value={status}
              onChange={(next) => change({ status: next })}
            />
            <ChoiceFilter
              name="Event"
              choices={isWhatsappHeard ? [...events, ...whatsappEvents] : events}
              value={event}
              isVerbatim
              onChange={(next) => change({ event: next })}
            />
            <ChoiceFilter
              name="Key"
              choices={keys.map(({ name }) => name)}
              value={keyName}
              isVerbatim
              onChange={(name) => change({ key: keys.find((key) => key.name === name)?.id })}
            />
            {endpointId && (
              <ChoiceFilter
                name="Endpoint"
                choices={[]}
                value={endpointName}
                isVerbatim
                onChange={() => change({ endpoint: undefined })}
              />
            )}
            {messageName && (
              <ChoiceFilter
                name="Message"
                choices={[]}
                value={messageName}
                isVerbatim
                onChange={() => change({ message: undefined })}
              />
            )}
            {isFiltered && (
              <button type="button" className="link" onClick={clear}>
                Clear all
              </button>
            )}
          </div>
          <TimeRangeBar choice={choice} onChange={change} />
        </>
      )}
      <div className="list-and-detail" data-detail={deliveryId !== undefined}>
        {!isDetailAlone && (
          <DeliveryList
            query={deliveries}
            rows={rows}
            isFiltered={isFiltered}
            count={<MatchLine filter={filter} time={time} />}
            searched={search.q}
            meant={namedLike(endpoints ?? [], search.q ?? '')}
            onEndpoint={(id) => change({ endpoint: id, q: undefined })}
            filterNames={[
              status && wordOf(status),
              event,
              keyName,
              endpointId && `endpoint ${endpointName}`,
              messageName && `message ${messageName}`,
              search.q && `“${search.q}”`,
              mode && wordOf(mode),
              timeWords(choice),
            ]}
            chosen={deliveryId}
            onClear={clear}
          />
        )}
        {deliveryId !== undefined && (
          <div className="stay">
            <Suspense
              fallback={
                <div className="card">
                  <Skeleton />
                </div>
              }
            >
              <DeliveryCard
                id={deliveryId}
                listed={rows.find(({ id }) => id === deliveryId)}
                tab={search.tab}
                onTab={(tab) => change({ tab })}
              />
            </Suspense>
          </div>
        )}
      </div>
    </>
  );
}

interface DeliveryListProps {
  readonly query: UseInfiniteQueryResult;
  readonly rows: readonly Delivery[];
  readonly isFiltered: boolean;
  /** How many match. */
  readonly count: ReactNode;
  readonly searched: string | undefined;
  /** Endpoints that the text may mean. */
  readonly meant: readonly ListedEndpoint[];
  readonly onEndpoint: (id: string) => void;
  /** As people read it. */
  readonly filterNames: readonly (string | undefined)[];
  readonly chosen: string | undefined;
  readonly onClear: () => void;
}

function DeliveryList(props: DeliveryListProps) {
  const { query, rows, isFiltered, count, searched, filterNames, chosen, onClear } = props;
  const { accountId, accounts } = usePlace();
  const selection = useSelection(rows, ({ id }) => id);
  const nameOf = (id: string) =>
    accountId === null && accounts.length > 1
      ? (accounts.find((account) => account.id === id)?.name ?? null)
      : null;
  return (
    <div className="stack" style={{ gap: 0, alignSelf: 'start' }}>
      <StaleNotice query={query} />
      <div className="card table-box">
        {isFiltered && count}
        <Table
          className="deliveries-table"
          isSelectable
          heads={['Status', 'Event', 'Answer', [`At (${zoneName()})`, 'end']]}
        >
          {rows.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              account={nameOf(delivery.account_id)}
              isChosen={delivery.id === chosen}
              selection={selection}
            />
          ))}
        </Table>
        <ListState
          query={query}
          rows={rows}
          empty={
            isFiltered ? (
              <NoMatch
                title="No delivery matches"
                filters={filterNames}
                advice={fewDigits(searched)}
                searched={
                  searched
                    ? 'numbers in any notation and their last four digits, words of contacts’ names, beginnings of references, ids of deliveries, events and messages'
                    : undefined
                }
                onClear={onClear}
              >
                {props.meant.map((endpoint) => (
                  <button
                    key={endpoint.endpoint_id}
                    type="button"
                    className="link"
                    onClick={() => props.onEndpoint(endpoint.endpoint_id)}
                  >
                    Deliveries to endpoint {placeWords(endpoint)}
                  </button>
                ))}
              </NoMatch>
            ) : (
              <EmptyState
                icon={IconWebhook}
                title="No deliveries yet"
                sentence="Replies and status changes are listed here, with every attempt to deliver them."
                action={
                  <Button component={Link} to="/keys">
                    Give a key a webhook
                  </Button>
                }
              />
            )
          }
        >
          {() => <ListFoot shown={rows.length} query={query} />}
        </ListState>
        <SelectionBar selection={selection}>
          <ForChangers otherwise="Viewers change nothing">
            <RedeliverSeveral selection={selection} />
          </ForChangers>
        </SelectionBar>
      </div>
    </div>
  );
}
