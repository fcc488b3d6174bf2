import type { Permission } from '../../access/permissions.js';
import type { ApiKeyEntity } from '../../api-keys/api-key.entity.js';
import { type EndpointEntity, isDefaultEndpoint } from '../../endpoints/endpoint.entity.js';
import { AppError } from '../../errors/app-error.js';
import {
  defaultWebhookEvents,
  eventPermissions,
  isReadable,
  type WebhookEvent,
} from '../../events/event-types.js';
import type { EndpointChangeDto, NewEndpointDto } from './endpoints.dto.js';

type Given = Pick<EndpointChangeDto, 'url' | 'events' | 'scope'> & Pick<NewEndpointDto, 'format'>;

/**
 * Refuses settings that would bring an endpoint what its key may not read.
 * @param before null for a new endpoint.
 * @param isByKey whether the key itself asks, not a person.
 * @throws AppError PERMISSION_DENIED
 */
export function refuseUnreadable(
  key: ApiKeyEntity,
  given: Given,
  before: EndpointEntity | null,
  isByKey: boolean,
): void {
  const need = (permission: Permission | undefined, what: string) => {
    if (permission === undefined || key.permissions.includes(permission)) return;
    throw new AppError('PERMISSION_DENIED', {
      message: `The API key lacks the permission ${permission}, which ${what} needs.`,
      details: { permission },
    });
  };
  if (given.format === 'whatsapp') need('view_messages', 'the format whatsapp');
  const isElsewhere = given.url !== undefined && given.url !== before?.url;
  if (before?.format === 'whatsapp' && isByKey && isElsewhere) {
    // What waits and what is recovered would go there, too.
    need('view_messages', 'a change of url of an endpoint of the format whatsapp');
  }
  if (given.scope === 'account') need('view_messages', 'the scope account');
  if (!before || !isDefaultEndpoint(before)) {
    for (const event of given.events ?? []) need(eventPermissions[event], `the event ${event}`);
    return;
  }
  if (!isByKey || !redirects(given, before)) return;
  // The default endpoint gets replies whatever the key may do: where they go is for those who may read them.
  need('view_messages', 'a change of url or events of the default endpoint');
  for (const event of [...eventsOf(before), ...(given.events ?? [])]) {
    need(eventPermissions[event], `a change of url or events of a default endpoint with ${event}`);
  }
}

/** The events of an endpoint that names none. */
export function defaultEventsOf(endpoint: EndpointEntity, key: ApiKeyEntity): WebhookEvent[] {
  return isDefaultEndpoint(endpoint)
    ? [...defaultWebhookEvents]
    : defaultWebhookEvents.filter((event) =>
        isReadable(event, (permission) => key.permissions.includes(permission)),
      );
}

const eventsOf = ({ events }: EndpointEntity): readonly WebhookEvent[] =>
  events ?? defaultWebhookEvents;

/** Whether the settings change where the default endpoint's events go, or which. */
function redirects({ url, events }: Given, before: EndpointEntity): boolean {
  if (url !== undefined && url !== before.url) return true;
  if (events === undefined) return false;
  const [now, then] = [new Set(events ?? defaultWebhookEvents), new Set(eventsOf(before))];
  return now.size !== then.size || [...now].some((event) => !then.has(event));
}
