import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerInstead, graphHeaders } from './answers.js';
import { invalidParameter, PlatformError, unknownObject, unknownPath } from './errors.js';
import type { MediaFile } from './media.js';
import type { BusinessAccountState, BusinessNumber } from './numbers.js';
import { register } from './registration.js';
import type { SimulatorState } from './state.js';
import { listTemplates } from './template-listing.js';
import { handleUpload } from './uploads.js';

/** A request for an object of the platform, or for one of its edges. */
interface OfObject {
  Params: { id: string };
  Querystring: URLSearchParams;
}

/** The only app: the receiver of the simulator's webhooks. */
const subscribedApp = {
  whatsapp_business_api_data: {
    id: '300000000000001',
    name: 'Simulated App',
    link: 'https://example.com',
  },
};

/** The platform's paths, but for the sends. */
export const graphRoutes = (graph: FastifyInstance, state: SimulatorState): void => {
  graph.removeAllContentTypeParsers();
  graph.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  graph.addHook('preHandler', async ({ headers, method, url }, reply) => {
    const [id = '', ...edges] = pathOf(url);
    const denied = state.tokens.refusal(headers.authorization, edges[0]);
    if (denied !== null) throw denied;
    if (id === '_media') return;
    if (edges.length > 1 || id === '') throw unknownPath(`/${pathOf(url).join('/')}`);
    if (!/^\d+$/.test(id) && id !== 'debug_token') throw unknownObject(method, id);
    if (edges[0] !== 'media') await obeyRules(state, id, reply);
  });
  graph.addHook('preSerialization', async (_request, reply, answer) => {
    reply.headers(graphHeaders());
    return answer;
  });
  graph.setNotFoundHandler(({ method, url }) => {
    const [id = '', edge] = pathOf(url);
    throw edge === undefined ? unknownObject(method, id) : unknownPath(`/${edge}`);
  });

  graph.get<OfObject>('/_media/:id', ({ params }, reply) => {
    const file = state.media.find(params.id);
    if (file?.bytes == null) reply.code(404).type('text/plain').send('Not Found');
    else reply.type(file.mimeType).send(file.bytes);
  });
  graph.get<OfObject>('/debug_token', ({ query }) => {
    const token = query.get('input_token');
    if (token === null) throw invalidParameter('The parameter input_token is required.');
    return state.tokens.describe(token);
  });
  graph.get<OfObject>('/:id', (request) => {
    const { headers, params, query } = request;
    const file = state.media.find(params.id);
    if (file !== null) return mediaNode(file, baseUrlOf(request));
    // Only media are asked for on behalf of a number, so this is a file that is gone.
    if (query.has('phone_number_id')) throw unknownObject('get', params.id);
    // An id does not tell what it is of, but only a business account has this field.
    if (fieldsOf(query)?.includes(fundingField)) {
      const refusal = state.tokens.managementRefusal(headers.authorization);
      if (refusal !== null) throw refusal;
      return businessAccountNode(params.id, state.numbers.account(params.id), query);
    }
    return phoneNumberNode(state.numbers.get(params.id), query);
  });
  graph.delete<OfObject>('/:id', ({ method, params }) => {
    if (!state.media.delete(params.id)) throw unknownObject(method, params.id);
    return { success: true };
  });
  graph.get<OfObject>('/:id/message_templates', (request) => {
    const pageUrl = `${baseUrlOf(request)}${request.originalUrl.split('?')[0] ?? ''}`;
    return listTemplates(state.templates.of(request.params.id), request.query, pageUrl);
  });
  graph.get<OfObject>('/:id/phone_numbers', ({ params, query }) => {
    const all = state.numbers.list();
    const numbers = all.filter((number) => number.business_account_id === params.id);
    return { data: numbers.map((number) => phoneNumberNode(number, query)) };
  });
  graph.register(async (uploads) => {
    // A file is read as it comes.
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, _body, done) => done(null));
    uploads.post<OfObject>('/:id/media', ({ params, raw }, reply) =>
      handleUpload(state, params.id, raw, reply),
    );
  });
  graph.get<OfObject>('/:id/subscribed_apps', ({ params }) => ({
    data: state.numbers.account(params.id).subscribed ? [subscribedApp] : [],
  }));
  graph.post<OfObject>('/:id/subscribed_apps', ({ params }) => {
    state.numbers.changeAccount(params.id, { subscribed: true });
    return { success: true };
  });
  graph.delete<OfObject>('/:id/subscribed_apps', ({ params }) => {
    state.numbers.changeAccount(params.id, { subscribed: false });
    return { success: true };
  });
  graph.post<OfObject>('/:id/register', ({ body, params }) => {
    register(state.numbers.get(params.id), body);
    return { success: true };
  });
  graph.post<OfObject>('/:id/deregister', ({ params }) => {
    state.numbers.get(params.id).registered = false;
    return { success: true };
  });
};

/** Delays or answers as rules of the type `management` demand. */
const obeyRules = async (state: SimulatorState, id: string, reply: FastifyReply): Promise<void> => {
  const plan = state.rules.planCall('management', id, '', Date.now());
  if (plan === null) return;
  if (plan.delayMs > 0) await setTimeout(plan.delayMs, null, { ref: false });
  if (plan.ending !== null) answerInstead(reply, plan.ending.answer);
};

const pathOf = (url: string): string[] =>
  (url.split('?')[0] ?? '').split('/').filter((part) => part !== '');

/** The address that the caller used, for links in answers. */
const baseUrlOf = ({ host }: Pick<FastifyRequest, 'host'>): string => `http://${host}`;

const mediaNode = (file: MediaFile, baseUrl: string): unknown => ({
  messaging_product: 'whatsapp',
  url: `${baseUrl}/_media/${file.id}`,
  mime_type: file.mimeType,
  sha256: file.sha256.toString('hex'),
  file_size: file.size,
  id: file.id,
});

const fundingField = 'primary_funding_id';

const businessAccountNode = (
  id: string,
  { has_payment_method }: BusinessAccountState,
  query: URLSearchParams,
): unknown =>
  nodeOf('WhatsAppBusinessAccount', query, {
    id,
    name: 'Simulated Business',
    currency: 'USD',
    timezone_id: '1',
    [fundingField]: has_payment_method ? '500000000000001' : undefined,
  });

const defaultFields = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
];

/** The fields that a request names, or null. */
const fieldsOf = (query: URLSearchParams): string[] | null =>
  query
    .get('fields')
    ?.split(',')
    .map((field) => field.trim()) ?? null;

const phoneNumberNode = (number: BusinessNumber, query: URLSearchParams): unknown => {
  const { phone_number_id: id, business_account_id: accountId } = number;
  const canSend = number.registered ? 'AVAILABLE' : 'BLOCKED';
  return nodeOf('WhatsAppBusinessPhoneNumber', query, {
    verified_name: 'Simulated Business',
    display_phone_number: `+${number.display_phone_number}`,
    quality_rating: number.quality_rating,
    throughput: { level: 'STANDARD' },
    status: number.registered ? 'CONNECTED' : 'PENDING',
    code_verification_status: 'VERIFIED',
    name_status: number.name_status,
    platform_type: 'CLOUD_API',
    account_mode: 'LIVE',
    whatsapp_business_manager_messaging_limit: number.messaging_limit,
    health_status: {
      can_send_message: canSend,
      entities: [
        { entity_type: 'PHONE_NUMBER', id, can_send_message: canSend },
        { entity_type: 'WABA', id: accountId, can_send_message: 'AVAILABLE' },
        { entity_type: 'BUSINESS', id: '506914307656634', can_send_message: 'AVAILABLE' },
        { entity_type: 'APP', id: '670843887433847', can_send_message: 'AVAILABLE' },
      ],
    },
    id,
  });
};

/** The fields of a node that a request names, and its id. Throws the platform's refusal of one that it lacks. */
const nodeOf = (type: string, query: URLSearchParams, all: Record<string, unknown>): unknown => {
  const shown: Record<string, unknown> = {};
  for (const name of fieldsOf(query) ?? defaultFields) {
    if (name === '') continue;
    if (!Object.hasOwn(all, name)) {
      throw new PlatformError(100, {
        message: `(#100) Tried accessing nonexisting field (${name}) on node type (${type})`,
      });
    }
    shown[name] = all[name];
  }
  shown.id = all.id;
  return shown;
};
