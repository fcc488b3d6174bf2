import { defaultMaxInFlight } from '../../../../src/endpoints/endpoint-limits.ts';
import {
  eventPermissions,
  isReadable,
  receivedTypes,
  toldStatuses,
} from '../../../../src/events/event-types.ts';
import { ApiFailure } from '../../api/client.ts';
import { newEndpointLimits } from '../../api/limits/new-endpoint.ts';
import type { ApiKey, Endpoint, NewEndpoint, WebhookEvent } from '../../api/types.ts';
import { found, lengthFault, numberFault } from '../../parts/limit-faults.ts';
import { eventLines } from '../../parts/permissions.ts';
import { isWebhookUrl } from '../key-draft.ts';

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
  /** Whether it gets notifications in WhatsApp's own form. Then `events`, `statuses`, `types` and the scope say nothing. */
  isWhatsapp: boolean;
  /** Names of WhatsApp's fields, with blanks or commas between them; empty: all. */
  fields: string;
  /** Empty: as it is. */
  verifyToken: string;
  isTokenRemoved: boolean;
  /** Of a new one; empty: Parley makes it. */
  secret: string;
}

export type EndpointFaults = Partial<Record<keyof EndpointDraft, string>>;

/** A new endpoint of a key: with the usual events, as far as the key may read them. */
export const newEndpointDraft = (key: Pick<ApiKey, 'permissions'>): EndpointDraft => ({
  url: '',
  name: '',
  events: (['message.received', 'message.status'] as const).filter((event) =>
    isReadable(event, (permission) => key.permissions.includes(permission)),
  ),
  statuses: [],
  types: [],
  isWholeAccount: false,
  inFlight: defaultMaxInFlight,
  isWhatsapp: false,
  fields: '',
  verifyToken: '',
  isTokenRemoved: false,
  secret: '',
});

/**
 * What the form says of an event, and whether the endpoint cannot get it.
 * @param key its key; null for the default endpoint, which needs no permissions.
 */
export function eventWords(
  { name, tells }: (typeof eventLines)[number],
  key: Pick<ApiKey, 'permissions'> | null,
): { words: string; isWithheld: boolean } {
  const needed = (eventPermissions as Readonly<Record<string, string | undefined>>)[name];
  if (!key || needed === undefined) return { words: tells, isWithheld: false };
  const isWithheld = !key.permissions.some((permission) => permission === needed);
  return {
    words: `${tells}. The key needs ${needed}${isWithheld ? ', which it does not have' : ''}`,
    isWithheld,
  };
}

export const draftOfEndpoint = (endpoint: Endpoint): EndpointDraft => ({
  url: endpoint.url,
  name: endpoint.name,
  events: endpoint.events ?? [],
  statuses: endpoint.statuses ?? [],
  types: endpoint.message_types ?? [],
  isWholeAccount: endpoint.scope === 'account',
  inFlight: endpoint.max_in_flight,
  isWhatsapp: endpoint.format === 'whatsapp',
  fields: endpoint.fields?.join(', ') ?? '',
  verifyToken: '',
  isTokenRemoved: false,
  secret: '',
});

const namesIn = (text: string) => text.split(/[\s,]+/).filter((name) => name !== '');

/** What is wrong with the draft, by field. */
export function endpointFaults(draft: EndpointDraft): EndpointFaults {
  const limits = newEndpointLimits;
  const faults: EndpointFaults = found({
    name: lengthFault(draft.name.trim(), limits.name),
    inFlight: numberFault(draft.inFlight, limits.max_in_flight),
  });
  if (!isWebhookUrl(draft.url.trim())) {
    faults.url = 'An address that begins with https:// or http://.';
  }
  if (draft.isWhatsapp) {
    const names = namesIn(draft.fields);
    const { items, maxItems } = limits.fields;
    if (names.length > maxItems || names.some((name) => !items.pattern.test(name))) {
      faults.fields = `At most ${maxItems} names of fields, such as messages, with commas between them.`;
    }
    if (draft.verifyToken !== '' && !limits.verify_token.pattern.test(draft.verifyToken)) {
      faults.verifyToken = `At most ${limits.verify_token.maxLength} letters, digits and signs, without blanks.`;
    }
    if (draft.secret !== '' && !limits.secret.pattern.test(draft.secret)) {
      const { minLength, maxLength } = limits.secret;
      faults.secret = `${minLength} to ${maxLength} letters, digits and signs, without blanks.`;
    }
  } else if (!eventLines.some(({ name }) => draft.events.includes(name))) {
    faults.events = 'Choose at least one event.';
  }
  return faults;
}

/**
 * The body that makes the endpoint, or changes it.
 * @param hasName whether people name it: the default one keeps its name.
 */
export function endpointBody(draft: EndpointDraft, hasName: boolean): NewEndpoint {
  const inFlight = draft.inFlight === '' ? null : Number(draft.inFlight);
  const common = { url: draft.url.trim(), ...(hasName && { name: draft.name.trim() || null }) };
  if (draft.isWhatsapp) {
    const names = namesIn(draft.fields);
    return {
      ...common,
      fields: names.length > 0 ? names : null,
      ...(draft.isTokenRemoved && { verify_token: null }),
      ...(draft.verifyToken !== '' && { verify_token: draft.verifyToken }),
      ...(draft.secret !== '' && { secret: draft.secret }),
      max_in_flight: inFlight,
    };
  }
  const chosen = <Name extends string>(all: readonly Name[], names: readonly string[]) =>
    names.length === 0 ? null : all.filter((name) => names.includes(name));
  return {
    ...common,
    events: draft.events,
    statuses: chosen(toldStatuses, draft.statuses),
    message_types: chosen(receivedTypes, draft.types),
    scope: draft.isWholeAccount ? 'account' : 'key',
    max_in_flight: inFlight,
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
  fields: 'fields',
  verify_token: 'verifyToken',
  secret: 'secret',
};

/** The API's own refusals, at the fields of the form. */
export function refusedEndpointFields(error: Error): EndpointFaults {
  if (!(error instanceof ApiFailure)) return {};
  if (error.code === 'PERMISSION_DENIED') {
    if (error.message.includes('format')) return { isWhatsapp: error.message };
    return { [error.message.includes('scope') ? 'isWholeAccount' : 'events']: error.message };
  }
  return Object.fromEntries(
    Object.entries(error.fields).flatMap(([path, fault]) => {
      const field = fieldNames[path.split(/[[.]/, 1)[0] ?? ''];
      return field ? [[field, fault]] : [];
    }),
  );
}
