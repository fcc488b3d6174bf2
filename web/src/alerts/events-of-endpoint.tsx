import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { endpointsOfAllKeys } from '../deliveries/endpoints/endpoints-of-all-keys.ts';
import { usePlace } from '../session/session.tsx';
import { eventLinks } from './event-links.ts';

/** How many events wait for an endpoint and how many failed, each with its list. */
export function EventsOfEndpoint({ id }: { id: string }) {
  const { accountId, mode } = usePlace();
  const figures = useQuery(endpointsOfAllKeys(accountId, mode)).data?.find(
    (one) => one.endpoint_id === id,
  );
  return (
    figures &&
    eventLinks(figures).map(({ id: key, name, ...link }) => (
      <Link key={key} {...link}>
        {name}
      </Link>
    ))
  );
}
