import type { Delivery } from '../api/types.ts';

/** The name of the endpoint that the key's own `webhook_url` sets. */
export const defaultName = 'default';

/** What people call an endpoint: the key's own is called by its key. */
export const endpointName = (name: string, keyName: string) =>
  name === defaultName ? keyName : name;

/** The endpoint of a delivery where people have named it; null for the key's own. */
export const namedEndpoint = ({ endpoint_name: name }: Delivery) =>
  name === defaultName ? null : name;
