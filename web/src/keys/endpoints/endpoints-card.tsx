import { usePlace } from '../../session/session.tsx';
import './endpoints.css';
import { Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { deliveriesQuery } from '../../api/delivery-queries.ts';
import { endpointsQuery } from '../../api/key-queries.ts';
import type { ApiKey, Endpoint } from '../../api/types.ts';
import { DeliveryTable } from '../../deliveries/delivery-table.tsx';
import { endpointsOfAllKeys } from '../../deliveries/endpoints/endpoints-of-all-keys.ts';
import { defaultName } from '../../deliveries/named-endpoint.ts';
import { Card } from '../../parts/card.tsx';
import { ListState } from '../../parts/query-state.tsx';
import { NewEndpointDialog } from './endpoint-form.tsx';
import { EndpointItem } from './endpoint-item.tsx';

const shownDeliveries = 5;

/** How many endpoints a key may have. */
const endpointsMax = 10;

/** Where the events of a key go: its own endpoint first. */
export function EndpointsCard({ apiKey: key }: { apiKey: ApiKey }) {
  const endpoints = useQuery(endpointsQuery(key.id));
  const standings = useQuery(endpointsOfAllKeys(key.account_id, key.mode)).data;
  const [isAdding, setIsAdding] = useState(false);
  const count = endpoints.data?.length ?? 0;
  const { mayChange } = usePlace();
  const add = mayChange && key.state !== 'revoked' && count < endpointsMax && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setIsAdding(true)}>
      Add endpoint
    </Button>
  );
  return (
    <Card title="Webhook endpoints" aside={count > 0 && add}>
      <ListState
        query={endpoints}
        skeletonRows={3}
        rows={endpoints.data?.toSorted(ownFirst)}
        empty={{
          icon: IconWebhook,
          title: 'No endpoint',
          sentence: key.event_feed
            ? 'Replies and status changes are kept in the event feed and are not posted anywhere.'
            : 'Replies and status changes are not sent anywhere.',
          action: add,
        }}
      >
        {(shown) => (
          <ul>
            {shown.map((endpoint) => (
              <EndpointItem
                key={endpoint.id}
                apiKey={key}
                endpoint={endpoint}
                standing={standings?.find(({ endpoint_id: id }) => id === endpoint.id)}
              />
            ))}
          </ul>
        )}
      </ListState>
      <LatestDeliveries apiKey={key} />
      <NewEndpointDialog apiKey={key} isAsked={isAdding} onClose={() => setIsAdding(false)} />
    </Card>
  );
}

const ownFirst = (one: Endpoint, other: Endpoint) =>
  Number(other.name === defaultName) - Number(one.name === defaultName);

function LatestDeliveries({ apiKey }: { apiKey: ApiKey }) {
  const deliveries = useInfiniteQuery(
    deliveriesQuery(apiKey.account_id, { key_id: apiKey.id }),
  ).data?.pages.flatMap((page) => page.deliveries);
  if (!deliveries || deliveries.length === 0) return null;
  return (
    <>
      <div className="table-box" style={{ borderTop: '1px solid var(--line)' }}>
        <DeliveryTable
          caption="Latest deliveries"
          deliveries={deliveries.slice(0, shownDeliveries)}
          search={{ key: apiKey.id }}
        />
      </div>
      <div className="table-foot">
        <Link to="/webhooks" search={{ key: apiKey.id }}>
          All deliveries of {apiKey.name}
        </Link>
      </div>
    </>
  );
}
