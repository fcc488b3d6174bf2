import type { ServerResponse } from 'node:http';
import { answerGraph, nextTraceId } from './answers.js';
import { authorizationError, PlatformError, unknownObject, unknownPath } from './errors.js';
import type { SimulatorState } from './state.js';

/** A request to the platform that is no send. */
export interface GraphRequest {
  method: string;
  /** Path without the version, split at slashes. */
  path: string[];
  query: URLSearchParams;
  authorization: string | undefined;
  raw: string;
}

/** Answers what the platform's other paths answer; throws a `PlatformError` otherwise. */
export const handleGraph = (
  state: SimulatorState,
  request: GraphRequest,
  response: ServerResponse,
): void => {
  const denied = authorizationError(request.authorization);
  if (denied !== null) throw denied;
  const [id = '', edge] = request.path;
  if (request.path.length > 2 || id === '') throw unknownPath(`/${request.path.join('/')}`);
  if (!/^\d+$/.test(id)) throw unknownObject(request.method, id);
  if (edge === undefined && request.method === 'GET') {
    answerJson(response, phoneNumberNode(state, id, request.query));
    return;
  }
  throw edge === undefined ? unknownObject(request.method, id) : unknownPath(`/${edge}`);
};

const answerJson = (response: ServerResponse, body: unknown): void =>
  answerGraph(response, 200, JSON.stringify(body), nextTraceId());

const DEFAULT_FIELDS = 'verified_name,code_verification_status,display_phone_number,quality_rating';

const phoneNumberNode = (
  state: SimulatorState,
  id: string,
  query: URLSearchParams,
): Record<string, unknown> => {
  const number = state.numbers.get(id);
  const all: Record<string, unknown> = {
    verified_name: 'Simulated Business',
    display_phone_number: `+${number.display_phone_number}`,
    quality_rating: 'GREEN',
    throughput: { level: 'STANDARD' },
    status: 'CONNECTED',
    code_verification_status: 'VERIFIED',
    name_status: 'APPROVED',
    platform_type: 'CLOUD_API',
    account_mode: 'LIVE',
    whatsapp_business_manager_messaging_limit: 'TIER_UNLIMITED',
    health_status: {
      can_send_message: 'AVAILABLE',
      entities: [
        { entity_type: 'PHONE_NUMBER', id, can_send_message: 'AVAILABLE' },
        { entity_type: 'WABA', id: number.business_account_id, can_send_message: 'AVAILABLE' },
        { entity_type: 'BUSINESS', id: '506914307656634', can_send_message: 'AVAILABLE' },
        { entity_type: 'APP', id: '670843887433847', can_send_message: 'AVAILABLE' },
      ],
    },
    id,
  };
  const node: Record<string, unknown> = {};
  for (const field of (query.get('fields') ?? DEFAULT_FIELDS).split(',')) {
    const name = field.trim();
    if (name === '') continue;
    if (!(name in all)) {
      throw new PlatformError(100, {
        message: `(#100) Tried accessing nonexisting field (${name}) on node type (WhatsAppBusinessPhoneNumber)`,
      });
    }
    node[name] = all[name];
  }
  node.id = id;
  return node;
};
