import type { ListedEndpoint } from '../../api/types.ts';

/** The filter of the one endpoint that has the only address; empty where there are several. */
export function onlyEndpoint(
  endpoints: readonly Pick<ListedEndpoint, 'endpoint_id' | 'url'>[],
  urls: readonly string[],
): { endpoint_id?: string } {
  const [found, ...others] = endpoints.filter(({ url }) => urls.includes(url));
  return urls.length === 1 && found && others.length === 0
    ? { endpoint_id: found.endpoint_id }
    : {};
}
