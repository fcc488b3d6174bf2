import {
  defaultMaxInFlight,
  receivedTypes,
  toldStatuses,
} from '../../../../src/endpoints/endpoint-events.ts';
import { ApiFailure } from '../../api/client.ts';
import type { Endpoint, NewEndpoint, WebhookEvent } from '../../api/types.ts';
import { eventLines } from '../../parts/permissions.ts';
import { isWebhookUrl } from '../key-draft.ts';

const inFlightMax = 128;
const nameMax = 100;

/** An endpoint as the form holds it. */
export interface EndpointDraft {
  url: string;
  name: string;
  events: WebhookEvent[];
  /** None: all; `types`, too. */
  statuses: string[];
  types: string[];
  isWholeAccount: boolean;
  inFlight: number | string;
}

export type EndpointFaults = Partial<Record<keyof EndpointDraft, string>>;

export const newEndpointDraft: EndpointDraft = {
  url: '',
  name: '',
  events: ['message.received', 'message.status'],
  statuses: [],
  types: [],
  isWholeAccount: false,
  inFlight: defaultMaxInFlight,
};

export const draftOfEndpoint = (endpoint: Endpoint): EndpointDraft => ({
  url: endpoint.url,
  name: endpoint.name,
  events: endpoint.events,
  statuses: endpoint.statuses ?? [],
  types: endpoint.message_types ?? [],
  isWholeAccount: endpoint.scope === 'account',
  inFlight: endpoint.max_in_flight,
});

/** What is wrong with the draft, by field. */
export function endpointFaults(draft: EndpointDraft): EndpointFaults {
  const faults: EndpointFaults = {};
  if (!isWebhookUrl(draft.url.trim())) {
    faults.url = 'An address that begins with https:// or http://.';
  }
  const length = Array.from(draft.name.trim()).length;
  if (length > nameMax) faults.name = `At most ${nameMax} characters; this has ${length}.`;
  if (!eventLines.some(({ name }) => draft.events.includes(name))) {
    faults.events = 'Choose at least one event.';
  }
  const count = draft.inFlight === '' ? defaultMaxInFlight : Number(draft.inFlight);
  if (!Number.isInteger(count) || count < 1 || count > inFlightMax) {
    faults.inFlight = `A whole number from 1 to ${inFlightMax}.`;
  }
  return faults;
}

/**
 * The body that makes the endpoint, or changes it.
 * @param hasName whether people name it: the default one keeps its name.
 */
export function endpointBody(draft: EndpointDraft, hasName: boolean): NewEndpoint {
  const chosen = <Name extends string>(all: readonly Name[], names: readonly string[]) =>
    names.length === 0 ? null : all.filter((name) => names.includes(name));
  return {
    url: draft.url.trim(),
    ...(hasName && { name: draft.name.trim() || null }),
    events: draft.events,
    statuses: chosen(toldStatuses, draft.statuses),
    message_types: chosen(receivedTypes, draft.types),
    scope: draft.isWholeAccount ? 'account' : 'key',
    max_in_flight: draft.inFlight === '' ? null : Number(draft.inFlight),
  };
}

/** Which field of the form a refusal of the API is about. */
const fieldNames: Readonly<Record<string, keyof EndpointDraft>> = {
  url: 'url',
  name: 'name',
  events: 'events',
  statuses: 'statuses',
  message_types: 'types',
  scope: 'isWholeAccount',
  max_in_flight: 'inFlight',
};

/** The API's own refusals, at the fields of the form. */
export function refusedEndpointFields(error: Error): EndpointFaults {
  if (!(error instanceof ApiFailure)) return {};
  if (error.code === 'PERMISSION_DENIED') return { isWholeAccount: error.message };
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([path, fault]) => {
      const field = fieldNames[path.split(/[[.]/, 1)[0] ?? ''];
      return field ? [[field, fault]] : [];
    }),
  );
}
