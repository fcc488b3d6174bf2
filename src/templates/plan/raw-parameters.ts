import { isUUID } from 'class-validator';
import { isBlank, linkFault } from '../../http/validation/rules.js';
import { couponFault, textFault } from './parameter-values.js';

/** A JSON object whose members are still to be checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Notes what is wrong at a path. Only the first fault of a path is kept. */
export type Report = (path: string, fault: string) => void;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The platform treats null as absent. */
export const isAbsent = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

/** Kinds of parameter that each component takes. */
const parameterTypes: Readonly<Record<string, readonly string[]>> = {
  header: ['text', 'image', 'video', 'document', 'location', 'product'],
  body: ['text', 'currency', 'date_time'],
  button: ['payload', 'text', 'coupon_code', 'action'],
  limited_time_offer: ['limited_time_offer'],
};

const objectMembers: Readonly<Record<string, readonly string[]>> = {
  image: ['id', 'link', 'media_id'],
  video: ['id', 'link', 'media_id'],
  document: ['id', 'link', 'media_id', 'filename'],
};

/** Reports members that the platform does not know: it refuses them. */
export function refuseUnknown(
  value: JsonObject,
  known: readonly string[],
  path: string,
  report: Report,
): void {
  for (const member of Object.keys(value)) {
    if (!known.includes(member)) report(`${path}.${member}`, 'is not a known field');
  }
}

/**
 * Checks one parameter by itself: kind, members, values.
 * @param place the component's type: header, body or button.
 */
export function checkParameter(
  parameter: unknown,
  place: string,
  path: string,
  report: Report,
): void {
  if (!isObject(parameter)) return report(path, 'must be an object');
  const { type } = parameter;
  const types = parameterTypes[place] ?? [];
  if (typeof type !== 'string' || !types.includes(type)) {
    return report(`${path}.type`, `must be one of ${types.join(', ')}`);
  }
  refuseUnknown(parameter, ['type', 'parameter_name', type], path, report);
  const { parameter_name } = parameter;
  if (!isAbsent(parameter_name) && typeof parameter_name !== 'string') {
    report(`${path}.parameter_name`, 'must be a string');
  }
  const value = parameter[type];
  if (isAbsent(value)) return report(`${path}.${type}`, 'is required');
  checkValue(type, value, `${path}.${type}`, report);
}

function checkValue(type: string, value: unknown, path: string, report: Report): void {
  switch (type) {
    case 'text': {
      const fault = typeof value === 'string' ? textFault(value) : 'must be a string';
      if (fault) report(path, fault);
      return;
    }
    case 'payload':
      if (typeof value !== 'string') report(path, 'must be a string');
      else if (isBlank(value)) report(path, 'must not be blank');
      return;
    case 'coupon_code': {
      const fault = typeof value === 'string' ? couponFault(value) : 'must be a string';
      if (fault) report(path, fault);
      return;
    }
  }
  if (!isObject(value)) return report(path, 'must be an object');
  switch (type) {
    case 'image':
    case 'video':
    case 'document':
      return checkMedia(value, objectMembers[type] ?? [], path, report);
    case 'location':
      for (const member of ['latitude', 'longitude']) {
        if (isAbsent(value[member])) report(`${path}.${member}`, 'is required');
      }
      return;
    case 'currency':
      requireText(value, 'fallback_value', path, report);
      requireText(value, 'code', path, report);
      if (!Number.isSafeInteger(value.amount_1000)) {
        report(`${path}.amount_1000`, 'must be a whole number: the amount times 1,000');
      }
      return;
    case 'date_time':
      requireText(value, 'fallback_value', path, report);
      return;
    case 'limited_time_offer':
      if (!Number.isSafeInteger(value.expiration_time_ms)) {
        report(
          `${path}.expiration_time_ms`,
          'must be a whole number: when the offer ends, in milliseconds since 1970',
        );
      }
      return;
    case 'action':
      checkAction(value, path, report);
  }
}

/** Of a flow. Other buttons have other members, which only the platform knows. */
function checkAction(value: JsonObject, path: string, report: Report): void {
  const { flow_token: token, flow_action_data: data } = value;
  if (!isAbsent(token)) requireText(value, 'flow_token', path, report);
  if (!isAbsent(data) && !isObject(data)) report(`${path}.flow_action_data`, 'must be an object');
}

function checkMedia(
  value: JsonObject,
  members: readonly string[],
  path: string,
  report: Report,
): void {
  refuseUnknown(value, members, path, report);
  const { id, link, media_id: mediaId, filename } = value;
  if ([id, link, mediaId].filter((source) => !isAbsent(source)).length !== 1) {
    report(path, 'must have one of link, media_id and id');
  }
  if (!isAbsent(mediaId) && !isUUID(mediaId)) {
    report(`${path}.media_id`, 'must be the media_id of an upload');
  }
  if (!isAbsent(id) && (typeof id !== 'string' || !/^\d+$/.test(id))) {
    report(`${path}.id`, 'must be the id of an uploaded file');
  }
  const fault = isAbsent(link) ? null : linkFault(link);
  if (fault) report(`${path}.link`, fault);
  if (!isAbsent(filename) && typeof filename !== 'string') {
    report(`${path}.filename`, 'must be a string');
  }
}

function requireText(value: JsonObject, member: string, path: string, report: Report): void {
  const text = value[member];
  if (typeof text !== 'string' || isBlank(text)) {
    report(`${path}.${member}`, 'must be a string that is not blank');
  }
}
