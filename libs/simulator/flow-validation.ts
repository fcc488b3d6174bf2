import {
  fieldPath,
  isAbsent,
  type JsonObject,
  refuseUnknownKeys,
  requiredObject,
} from './checks.js';
import { invalidParameter, invalidValue, missingParameter, notOneOf } from './errors.js';
import { checkActionName, checkLength } from './interactive-parts.js';
import type { Strictness } from './options.js';

const actionKeys = new Set(['name', 'parameters']);
const parameterKeys = new Set([
  'flow_message_version',
  'flow_id',
  'flow_name',
  'flow_cta',
  'mode',
  'flow_action',
  'flow_action_payload',
  'flow_token',
]);
const payloadKeys = new Set(['screen', 'data']);

/** Checks the action of a message whose button opens a flow. */
export const checkFlow = (action: JsonObject, actionPath: string, strictness: Strictness): void => {
  refuseUnknownKeys(action, actionKeys, actionPath);
  checkActionName(action, actionPath, 'flow');
  const parameters = requiredObject(action, 'parameters', actionPath);
  const path = fieldPath(actionPath, 'parameters');
  refuseUnknownKeys(parameters, parameterKeys, path);
  checkVersion(parameters, path);
  checkWhichFlow(parameters, path);
  checkLength(parameters.flow_cta, fieldPath(path, 'flow_cta'), 'Flow cta', 20, strictness);
  checkChoice(parameters, 'mode', path, ['draft', 'published']);
  checkChoice(parameters, 'flow_action', path, ['navigate', 'data_exchange']);
  checkFilled(parameters, 'flow_token', path);
  checkPayload(parameters, path);
};

const checkVersion = ({ flow_message_version: version }: JsonObject, path: string): void => {
  const versionPath = fieldPath(path, 'flow_message_version');
  if (isAbsent(version)) throw invalidParameter(`The parameter ${versionPath} is required.`);
  if (version !== '3') throw notOneOf(versionPath, ['3'], version);
};

const checkWhichFlow = (parameters: JsonObject, path: string): void => {
  const hasId = checkFilled(parameters, 'flow_id', path);
  const hasName = checkFilled(parameters, 'flow_name', path);
  if (!hasId && !hasName) throw missingParameter('flow: one of flow_id, flow_name is required');
  if (hasId && hasName) throw invalidValue('flow: only one of flow_id, flow_name is allowed');
};

/** Where nothing is said, the action is `navigate`. */
const checkPayload = (parameters: JsonObject, path: string): void => {
  if (isAbsent(parameters.flow_action_payload)) return;
  const payload = requiredObject(parameters, 'flow_action_payload', path);
  if (parameters.flow_action === 'data_exchange') {
    throw invalidValue('flow: flow_action_payload is only allowed with flow_action navigate');
  }
  const payloadPath = fieldPath(path, 'flow_action_payload');
  refuseUnknownKeys(payload, payloadKeys, payloadPath);
  if (!checkFilled(payload, 'screen', payloadPath)) {
    throw invalidParameter(`The parameter ${fieldPath(payloadPath, 'screen')} is required.`);
  }
  if (isAbsent(payload.data)) return;
  if (Object.keys(requiredObject(payload, 'data', payloadPath)).length === 0) {
    throw invalidValue('flow: data must be a non-empty object');
  }
};

/** Checks a string that may not be empty; says whether there is one. */
const checkFilled = (parent: JsonObject, key: string, path: string): boolean => {
  const value = parent[key];
  if (isAbsent(value)) return false;
  const valuePath = fieldPath(path, key);
  if (typeof value !== 'string') throw invalidParameter(`Param ${valuePath} must be a string.`);
  if (value.trim() === '') {
    throw invalidParameter(`Param ${valuePath} must be at least 1 characters long.`);
  }
  return true;
};

const checkChoice = (
  parent: JsonObject,
  key: string,
  path: string,
  choices: readonly string[],
): void => {
  const value = parent[key];
  if (isAbsent(value)) return;
  if (typeof value !== 'string' || !choices.includes(value)) {
    throw notOneOf(fieldPath(path, key), choices, value);
  }
};
