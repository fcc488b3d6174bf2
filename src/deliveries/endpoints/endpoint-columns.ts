import type { ApiKeyEntity } from '../../api-keys/api-key.entity.js';
import type { EndpointEntity, EndpointFormat } from '../../endpoints/endpoint.entity.js';
import { defaultMaxInFlight } from '../../endpoints/endpoint-limits.js';
import { validationError } from '../../errors/app-error.js';
import { isGiven } from '../../http/validation/rules.js';
import { defaultEventsOf } from './endpoint-permissions.js';
import type { EndpointDto, EndpointSettingsDto, NewEndpointDto } from './endpoints.dto.js';

/** Settings that the other format has. @throws AppError VALIDATION_ERROR */
export function refuseOtherFormat(format: EndpointFormat, given: Partial<NewEndpointDto>): void {
  const { events, statuses, message_types, scope, fields, verify_token, secret } = given;
  const misfits =
    format === 'whatsapp'
      ? { events, statuses, message_types, scope: scope === 'account' ? null : scope }
      : { fields, verify_token, secret };
  const faults = Object.entries(misfits)
    .filter(([, value]) => isGiven(value))
    .map(([name]) => [name, faultOf(name, format)]);
  if (faults.length > 0) throw validationError(Object.fromEntries(faults));
}

const faultOf = (name: string, format: EndpointFormat): string => {
  if (format === 'parley') return 'is for endpoints of the format whatsapp';
  return name === 'scope'
    ? 'must be account: an endpoint of the format whatsapp gets what concerns its account'
    : 'is for endpoints of the format parley; use fields';
};

/** The columns that the given settings set; `null` sets the default. */
export function columnsOf(
  given: EndpointSettingsDto,
  format: EndpointFormat = 'parley',
): Partial<EndpointEntity> {
  const { max_in_flight, fields } = given;
  return {
    ...(max_in_flight !== undefined && { maxInFlight: max_in_flight ?? defaultMaxInFlight }),
    ...(fields !== undefined && { fields: fields && [...new Set(fields)] }),
    ...(format === 'parley' && parleyColumnsOf(given)),
  };
}

function parleyColumnsOf({
  events,
  statuses,
  message_types,
  scope,
}: EndpointSettingsDto): Partial<EndpointEntity> {
  const list = <T>(values: readonly T[] | null) => values && [...new Set(values)];
  return {
    ...(events !== undefined && { events: list(events) }),
    ...(statuses !== undefined && { statuses: list(statuses) }),
    ...(message_types !== undefined && { messageTypes: list(message_types) }),
    ...(scope !== undefined && { scope: scope ?? 'key' }),
  };
}

/** What people set of an endpoint. */
export function shown(endpoint: EndpointEntity, key: ApiKeyEntity) {
  return {
    id: endpoint.id,
    name: endpoint.name,
    url: endpoint.url ?? '',
    format: endpoint.format,
    events:
      endpoint.format === 'whatsapp' ? null : (endpoint.events ?? defaultEventsOf(endpoint, key)),
    statuses: endpoint.statuses,
    message_types: endpoint.messageTypes,
    scope: endpoint.scope,
    max_in_flight: endpoint.maxInFlight,
  };
}

/** What the audit log keeps of an endpoint. */
export function recorded(endpoint: EndpointEntity, key: ApiKeyEntity) {
  const { fields, has_verify_token } = ofWhatsapp(endpoint);
  return {
    ...shown(endpoint, key),
    ...(has_verify_token !== undefined && { fields, has_verify_token }),
  };
}

/** What only endpoints of WhatsApp's form have. */
export function ofWhatsapp(
  endpoint: EndpointEntity,
): Pick<EndpointDto, 'fields' | 'has_verify_token' | 'handshake' | 'left_out'> {
  if (endpoint.format !== 'whatsapp') return {};
  return {
    fields: endpoint.fields,
    has_verify_token: endpoint.verifyToken !== null,
    handshake: { state: endpoint.handshakeState, at: endpoint.handshakeAt },
    left_out: endpoint.leftOut,
  };
}
