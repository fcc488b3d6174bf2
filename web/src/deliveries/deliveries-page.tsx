import './deliveries.css';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconWebhook } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type DeliveryFilter, deliveriesQuery, deliveryQuery, keysQuery } from '../api/queries.ts';
import type { Delivery } from '../api/types.ts';
import { ChoiceFilter } from '../parts/choice-filter.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { idForm } from '../parts/id-form.ts';
import { ListFoot } from '../parts/list-foot.tsx';
import { Moment } from '../parts/moment.tsx';
import { NoMatch } from '../parts/no-match.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { eventLines } from '../parts/permissions.ts';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge, StatusBadge, wordOf } from '../parts/status-badge.tsx';
import { Table } from '../parts/table.tsx';
import { usePlace } from '../session/session.tsx';
import { DeliveryAnswerCell, EventName } from './delivery-answer.tsx';
import { DeliveryCard } from './delivery-card.tsx';
import { FailingNotices } from './failing-notices.tsx';
import { namedEndpoint } from './named-endpoint.ts';
import { TestEventButton } from './test-event-button.tsx';

const statuses = ['pending', 'retrying', 'succeeded', 'failed'];
const events = [...eventLines.map(({ name }) => name), 'webhook.test'];

/** Deliveries and their answers: a list, and one delivery next to it. */
export function DeliveriesPage() {
  const { accountId } = usePlace();
  const { deliveryId } = useParams({ strict: false });
  const search = useSearch({ from: '/webhooks-page' });
  const navigate = useNavigate();
  const isNarrow = useMediaQuery('(max-width: 1023px)', false, { getInitialValueInEffect: false });
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  // The address may hold unknown filter values; they are ignored.
  const status = statuses.find((each) => each === search.status);
  const event = events.find((each) => each === search.event);
  const keyId = search.key && idForm.test(search.key) ? search.key : undefined;
  const messageId = search.message && idForm.test(search.message) ? search.message : undefined;
  const filter: DeliveryFilter = {
    ...(status && { status }),
    ...(event && { event }),
    ...(keyId && { key_id: keyId }),
    ...(messageId && { message_id: messageId }),
  };
  const change = (changed: Partial<typeof search>) =>
    void navigate({ to: '.', search: { ...search, ...changed }, replace: true });
  const openDelivery = ({ id }: Delivery) =>
    void navigate({ to: '/webhooks/$deliveryId', params: { deliveryId: id }, search });
  const keyName = keyId && (keys.find(({ id }) => id === keyId)?.name ?? 'Another key');
  const messageName = messageId && `${messageId.slice(0, 8)}…`;
  const isDetailAlone = isNarrow && deliveryId !== undefined;
  const opened = useQuery({ ...deliveryQuery(deliveryId ?? ''), enabled: isDetailAlone }).data;
  return (
    <>
      <PageHeader
        // Alone, the thing is a page of its own.
        key={isDetailAlone ? deliveryId : null}
        title={isDetailAlone ? (opened?.delivery.event ?? 'Delivery') : 'Webhooks'}
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
            <TestEventButton
              keys={keys.filter(
                ({ state, webhook }) =>
                  state === 'active' && webhook.url !== null && webhook.disabled_at === null,
              )}
              onSent={openDelivery}
            />
          )
        }
      />
      {!isDetailAlone && (
        <>
          <div className="filters">
            <ChoiceFilter
              name="Status"
              choices={statuses}
              value={status}
              onChange={(next) => change({ status: next })}
            />
            <ChoiceFilter
              name="Event"
              choices={events}
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
            {messageName && (
              <ChoiceFilter
                name="Message"
                choices={[]}
                value={messageName}
                isVerbatim
                onChange={() => change({ message: undefined })}
              />
            )}
          </div>
          <FailingNotices keys={keys} />
        </>
      )}
      <div className="list-and-detail" data-detail={deliveryId !== undefined}>
        {!isDetailAlone && (
          <DeliveryList
            filter={filter}
            filterNames={[
              status && wordOf(status),
              event,
              keyName,
              messageName && `message ${messageName}`,
            ]}
            chosen={deliveryId}
            onClear={() =>
              change({ status: undefined, event: undefined, key: undefined, message: undefined })
            }
          />
        )}
        {deliveryId !== undefined && (
          <div className="stay">
            <DeliveryCard id={deliveryId} tab={search.tab} onTab={(tab) => change({ tab })} />
          </div>
        )}
      </div>
    </>
  );
}

interface DeliveryListProps {
  readonly filter: DeliveryFilter;
  /** As people read it. */
  readonly filterNames: readonly (string | undefined)[];
  readonly chosen: string | undefined;
  readonly onClear: () => void;
}

function DeliveryList({ filter, filterNames, chosen, onClear }: DeliveryListProps) {
  const { accountId } = usePlace();
  const deliveries = useInfiniteQuery(deliveriesQuery(accountId, filter));
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <div className="stack" style={{ gap: 0, alignSelf: 'start' }}>
      <StaleNotice query={deliveries} />
      <div className="card table-box">
        <Table className="deliveries-table" heads={['Status', 'Event', 'Answer', ['At', 'end']]}>
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} isChosen={delivery.id === chosen} />
          ))}
        </Table>
        <ListState
          query={deliveries}
          rows={rows}
          empty={
            isFiltered ? (
              <NoMatch title="No delivery matches" filters={filterNames} onClear={onClear} />
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
          {() => <ListFoot shown={rows.length} query={deliveries} />}
        </ListState>
      </div>
    </div>
  );
}

function DeliveryRow({ delivery, isChosen }: { delivery: Delivery; isChosen: boolean }) {
  return (
    <tr data-link data-chosen={isChosen}>
      <td className="first-end">
        <StatusBadge status={delivery.status} />
      </td>
      <td className="cell-event">
        <div className="cut">
          <Link
            className="row-link"
            to="/webhooks/$deliveryId"
            params={{ deliveryId: delivery.id }}
            search={(before) => before}
            aria-current={isChosen ? 'true' : undefined}
          >
            <EventName delivery={delivery} />
          </Link>
        </div>
        <div className="small row">
          <span className="cut">
            {[delivery.api_key_name ?? 'Deleted key', namedEndpoint(delivery)]
              .filter((name) => name !== null)
              .join(' · ')}
          </span>
          <ModeBadge mode={delivery.mode} />
        </div>
      </td>
      <td className="cell-answer">
        <DeliveryAnswerCell delivery={delivery} />
      </td>
      <td className="end quiet">
        <Moment at={delivery.created_at} />
      </td>
    </tr>
  );
}
