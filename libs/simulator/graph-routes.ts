import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { answerContent, answerGraph, nextTraceId } from './answers.js';
import { authorizationError, PlatformError, unknownObject, unknownPath } from './errors.js';
import { type MediaFile, readUpload } from './media.js';
import type { BusinessNumber } from './numbers.js';
import type { SimulatorState } from './state.js';
import { listTemplates } from './template-listing.js';

/** A request to the platform that is no send. */
export interface GraphRequest {
  method: string;
  /** Path without the version, split at slashes. */
  path: string[];
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The address that the caller used, for links in answers. */
  baseUrl: string;
  /** Path with version and query, as it came. */
  url: string;
}

/** Answers what the platform's other paths answer; throws a `PlatformError` otherwise. */
export const handleGraph = (
  state: SimulatorState,
  request: GraphRequest,
  response: ServerResponse,
): void => {
  const denied = authorizationError(request.headers.authorization);
  if (denied !== null) throw denied;
  const [id = '', edge] = request.path;
  if (id === '_media') {
    answerFile(state.media.find(edge ?? ''), response);
    return;
  }
  if (request.path.length > 2 || id === '') throw unknownPath(`/${request.path.join('/')}`);
  if (!/^\d+$/.test(id)) throw unknownObject(request.method, id);
  const answer = edge === undefined ? node(state, id, request) : edgeOf(state, id, edge, request);
  answerGraph(response, 200, JSON.stringify(answer), nextTraceId());
};

const answerFile = (file: MediaFile | null, response: ServerResponse): void => {
  if (file === null) answerContent(response, 404, 'text/plain', 'Not Found');
  else answerContent(response, 200, file.mimeType, file.bytes);
};

/** An object itself: a media file, or else a business number. */
const node = (state: SimulatorState, id: string, request: GraphRequest): unknown => {
  const file = state.media.find(id);
  if (request.method === 'GET') {
    if (file !== null) return mediaNode(file, request.baseUrl);
    // Only media are asked for on behalf of a number, so this is a file that is gone.
    if (request.query.has('phone_number_id')) throw unknownObject('get', id);
    return phoneNumberNode(state.numbers.get(id), request.query);
  }
  if (request.method === 'DELETE' && file !== null) return { success: state.media.delete(id) };
  throw unknownObject(request.method, id);
};

/** The only app: the receiver of the simulator's webhooks. */
const subscribedApp = {
  whatsapp_business_api_data: {
    id: '300000000000001',
    name: 'Simulated App',
    link: 'https://example.com',
  },
};

const edgeOf = (
  state: SimulatorState,
  id: string,
  edge: string,
  request: GraphRequest,
): unknown => {
  const { query } = request;
  switch (`${request.method} ${edge}`) {
    case 'GET message_templates': {
      const pageUrl = `${request.baseUrl}${request.url.split('?')[0] ?? ''}`;
      return listTemplates(state.templates.of(id), query, pageUrl);
    }
    case 'GET phone_numbers': {
      const numbers = state.numbers.list().filter((number) => number.business_account_id === id);
      return { data: numbers.map((number) => phoneNumberNode(number, query)) };
    }
    case 'POST media':
      return { id: upload(state, request).id };
    case 'GET subscribed_apps':
      return { data: state.unsubscribed.has(id) ? [] : [subscribedApp] };
    case 'POST subscribed_apps':
      state.unsubscribed.delete(id);
      return { success: true };
    case 'DELETE subscribed_apps':
      state.unsubscribed.add(id);
      return { success: true };
    case 'POST register':
    case 'POST deregister':
      return { success: true };
    default:
      throw unknownPath(`/${edge}`);
  }
};

const upload = (state: SimulatorState, request: GraphRequest): MediaFile => {
  const form = readUpload(request.headers['content-type'], request.body);
  if (form === null)
    throw new PlatformError(100, { message: '(#100) The parameter file is required.' });
  if (form.fields.get('messaging_product') !== 'whatsapp') {
    throw new PlatformError(100, {
      message: '(#100) The parameter messaging_product is required.',
    });
  }
  return state.media.store(form.fields.get('type') ?? form.mimeType, form.bytes);
};

const mediaNode = (file: MediaFile, baseUrl: string): unknown => ({
  messaging_product: 'whatsapp',
  url: `${baseUrl}/_media/${file.id}`,
  mime_type: file.mimeType,
  sha256: file.sha256.toString('hex'),
  file_size: file.bytes.length,
  id: file.id,
});

const defaultFields = 'verified_name,code_verification_status,display_phone_number,quality_rating';

const phoneNumberNode = (number: BusinessNumber, query: URLSearchParams): unknown => {
  const { phone_number_id: id, business_account_id: accountId } = number;
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
        { entity_type: 'WABA', id: accountId, can_send_message: 'AVAILABLE' },
        { entity_type: 'BUSINESS', id: '506914307656634', can_send_message: 'AVAILABLE' },
        { entity_type: 'APP', id: '670843887433847', can_send_message: 'AVAILABLE' },
      ],
    },
    id,
  };
  const shown: Record<string, unknown> = {};
  for (const field of (query.get('fields') ?? defaultFields).split(',')) {
    const name = field.trim();
    if (name === '') continue;
    if (!Object.hasOwn(all, name)) {
      throw new PlatformError(100, {
        message: `(#100) Tried accessing nonexisting field (${name}) on node type (WhatsAppBusinessPhoneNumber)`,
      });
    }
    shown[name] = all[name];
  }
  shown.id = id;
  return shown;
};
