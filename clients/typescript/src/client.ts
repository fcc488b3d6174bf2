import { createHash, randomUUID } from 'node:crypto';
import { ConnectionError, errorOf, type ParleyError } from './errors.js';
import { signatureHeaders } from './signing.js';
import type {
  AddedRecipients,
  ButtonMessage,
  Campaign,
  CampaignRecipient,
  CarouselMessage,
  Contact,
  ContactFilter,
  ContactPage,
  ContactRequestMessage,
  ContactsMessage,
  ContactWindow,
  CtaUrlMessage,
  FeedEvent,
  FeedFilter,
  FeedPage,
  FlowMessage,
  ListedMessage,
  ListMessage,
  LocationMessage,
  LocationRequestMessage,
  MarkedRead,
  MediaMessage,
  Message,
  MessageFilter,
  MessagePage,
  NewCampaign,
  RateLimit,
  RawTemplateMessage,
  ReactionMessage,
  SentMessage,
  SentTemplate,
  Template,
  TemplateFilter,
  TemplateMessage,
  TemplatePage,
  TextMessage,
  Upload,
  UserOfWindow,
} from './types.js';

/** What each answer has in addition to its data. */
export interface AnswerInfo {
  readonly status: number;
  readonly requestId: string;
  /** The key's minute; null for files, and where the request was refused before it was counted. */
  readonly rateLimit: RateLimit | null;
  /** What only WhatsApp would refuse of a message; each text names the field. */
  readonly warnings: readonly string[];
  /** The answer to an earlier request with the same idempotency key. */
  readonly isReplay: boolean;
}

export interface ParleyOptions {
  /** The installation's address, such as `https://parley.example.com`. */
  readonly baseUrl: string;
  /** `pk_live_…` or `pk_test_…` */
  readonly apiKey: string;
  /** `sgsec_…`: with it every request is signed. */
  readonly signingSecret?: string;
  /** How often a request is repeated that may succeed later. Default 3. */
  readonly retriesMax?: number;
  /** The longest wait before a repetition; if the wait would be longer, the call fails. Default 60. */
  readonly retryWaitMaxSeconds?: number;
  /** How long one request may take, in milliseconds; longer than the server's `SEND_WAIT_MS`. Default 30,000. */
  readonly timeoutMs?: number;
  /** The `User-Agent` of every request; default: the one of the runtime. */
  readonly userAgent?: string;
  /** Called for every answer, refusals included. */
  readonly onAnswer?: (info: AnswerInfo) => void;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface SendOptions extends CallOptions {
  /** Under which the same send can be repeated for 24 hours; default: a new one for each call. */
  readonly idempotencyKey?: string;
  /** Answer as soon as the message is queued; what comes of it arrives by webhook. */
  readonly isAsync?: boolean;
}

export interface CampaignOptions extends CallOptions {
  /** Under which the same request can be repeated for 24 hours; default: a new one for each call. */
  readonly idempotencyKey?: string;
}

export interface ReadOptions extends CallOptions {
  /** Also show the user that you are writing, for 25 seconds or until your next message. */
  readonly isTyping?: boolean;
}

interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below `/api/v1/external`, with its query. */
  readonly path: string;
  readonly body?: object | Encoded;
  readonly idempotencyKey?: string;
  readonly isAsync?: boolean;
  /** How long the server waits by itself. */
  readonly waitMs?: number;
}

/** A body as it goes over the wire. */
class Encoded {
  constructor(
    readonly bytes: string | Uint8Array<ArrayBuffer>,
    readonly contentType: string,
  ) {}
}

interface Meta {
  readonly rate_limit?: RateLimit;
  readonly warnings?: readonly string[];
}

const prefix = '/api/v1/external';
const firstWaitMs = 250;
/** How long the server lets an upload take. */
const uploadTimeoutMs = 600_000;

/** Codes that say that the same request can succeed later. */
const passing = new Set(['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR']);

/**
 * Parley's API. Every method resolves with the `data` of the answer, or rejects with a
 * `ParleyError` or a `ConnectionError`. What may succeed later is repeated, under the same
 * idempotency key, so that nothing is sent twice.
 */
export class Parley {
  constructor(private readonly options: ParleyOptions) {}

  sendButtons(message: ButtonMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/interactive/button', message, options);
  }

  sendList(message: ListMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/interactive/list', message, options);
  }

  sendText(message: TextMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/text', message, options);
  }

  sendMedia(message: MediaMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/media', message, options);
  }

  /** A button that opens a page. */
  sendLinkButton(message: CtaUrlMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/interactive/cta-url', message, options);
  }

  sendLocationRequest(
    message: LocationRequestMessage,
    options: SendOptions = {},
  ): Promise<SentMessage> {
    return this.send('/messages/interactive/location-request', message, options);
  }

  sendContactRequest(
    message: ContactRequestMessage,
    options: SendOptions = {},
  ): Promise<SentMessage> {
    return this.send('/messages/interactive/contact-request', message, options);
  }

  /** A button that opens a flow, a form within WhatsApp. */
  sendFlow(message: FlowMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/interactive/flow', message, options);
  }

  sendCarousel(message: CarouselMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/interactive/carousel', message, options);
  }

  sendLocation(message: LocationMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/location', message, options);
  }

  /** Contact cards. */
  sendContacts(message: ContactsMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/contacts', message, options);
  }

  /** A reaction, or its removal. */
  sendReaction(message: ReactionMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/reaction', message, options);
  }

  /** A template, filled by the names of its variables. */
  sendTemplate(message: TemplateMessage, options: SendOptions = {}): Promise<SentTemplate> {
    return this.send('/messages/template/send', message, options);
  }

  /** A template with WhatsApp's own components. */
  sendRawTemplate(message: RawTemplateMessage, options: SendOptions = {}): Promise<SentMessage> {
    return this.send('/messages/template', message, options);
  }

  /**
   * Marks a user's message, by the id that `message.received` names, and the earlier ones as read.
   * @throws SendFailedError
   */
  markRead(messageId: string, { isTyping, ...options }: ReadOptions = {}): Promise<MarkedRead> {
    const body = { message_id: messageId, ...(isTyping && { typing: true }) };
    return this.data({ ...options, method: 'POST', path: '/messages/read', body });
  }

  /** @throws ParleyError MESSAGE_NOT_FOUND */
  getMessage(id: string, options: CallOptions = {}): Promise<Message> {
    return this.data({ ...options, method: 'GET', path: `/messages/${encodeURIComponent(id)}` });
  }

  /**
   * Sends a scheduled message at another time.
   * @throws ValidationFailedError; ParleyError MESSAGE_NOT_FOUND; MESSAGE_STATE once it is released
   */
  moveMessage(id: string, sendAt: Date, options: CallOptions = {}): Promise<ListedMessage> {
    const path = `/messages/${encodeURIComponent(id)}`;
    return this.data({
      ...options,
      method: 'PATCH',
      path,
      body: { send_at: sendAt.toISOString() },
    });
  }

  /**
   * Takes a scheduled or queued message back; it will never be sent.
   * @throws ParleyError MESSAGE_NOT_FOUND; MESSAGE_STATE once it is on its way
   */
  cancelMessage(id: string, options: CallOptions = {}): Promise<ListedMessage> {
    const path = `/messages/${encodeURIComponent(id)}/cancel`;
    return this.data({ ...options, method: 'POST', path });
  }

  /** Makes a campaign, a draft without recipients. @throws ParleyError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_CONFIGURED */
  createCampaign(campaign: NewCampaign, options: CampaignOptions = {}): Promise<Campaign> {
    return this.campaign('POST', '/campaigns', options, campaign);
  }

  /**
   * Adds up to 1,000 recipients to a draft. Those that are wrong are named in the answer and prevent no others.
   * @throws ParleyError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE after the start
   */
  addRecipients(
    campaignId: string,
    recipients: readonly CampaignRecipient[],
    { idempotencyKey = crypto.randomUUID(), ...options }: CampaignOptions = {},
  ): Promise<AddedRecipients> {
    const path = `/campaigns/${encodeURIComponent(campaignId)}/recipients`;
    return this.data({ ...options, method: 'POST', path, idempotencyKey, body: { recipients } });
  }

  /** @throws ParleyError CAMPAIGN_NOT_FOUND */
  getCampaign(id: string, options: CallOptions = {}): Promise<Campaign> {
    return this.campaign('GET', `/campaigns/${encodeURIComponent(id)}`, options);
  }

  /**
   * Starts, pauses, resumes or cancels a campaign.
   * @throws ParleyError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE where its status does not allow it
   */
  steerCampaign(
    id: string,
    action: 'start' | 'pause' | 'resume' | 'cancel',
    options: CallOptions = {},
  ): Promise<Campaign> {
    return this.campaign('POST', `/campaigns/${encodeURIComponent(id)}/${action}`, options);
  }

  private async campaign(
    method: 'GET' | 'POST',
    path: string,
    { idempotencyKey, ...options }: CampaignOptions,
    body?: object,
  ): Promise<Campaign> {
    const key = idempotencyKey ?? (body && crypto.randomUUID());
    const { campaign } = await this.data<{ campaign: Campaign }>({
      ...options,
      method,
      path,
      ...(body && { body }),
      ...(key && { idempotencyKey: key }),
    });
    return campaign;
  }

  /** One page, newest first. */
  listMessages(filter: MessageFilter = {}, options: CallOptions = {}): Promise<MessagePage> {
    return this.data({ ...options, method: 'GET', path: `/messages${queryOf(filter)}` });
  }

  /** All messages that fit, newest first, page by page. */
  async *eachMessage(
    filter: MessageFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListedMessage> {
    for (let cursor = filter.cursor; ; ) {
      const page = await this.listMessages({ ...filter, cursor }, options);
      yield* page.messages;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** @throws ParleyError NOT_FOUND */
  async getContact(id: string, options: CallOptions = {}): Promise<Contact> {
    const path = `/contacts/${encodeURIComponent(id)}`;
    const { contact } = await this.data<{ contact: Contact }>({ ...options, method: 'GET', path });
    return contact;
  }

  /** One page of contacts, newest first; with a number or a user id, those who have it. */
  listContacts(filter: ContactFilter = {}, options: CallOptions = {}): Promise<ContactPage> {
    return this.data({ ...options, method: 'GET', path: `/contacts${queryOf(filter)}` });
  }

  /** Whether messages that are no templates reach a user now. */
  contactWindow(user: UserOfWindow, options: CallOptions = {}): Promise<ContactWindow> {
    return this.data({ ...options, method: 'GET', path: `/contacts/window${queryOf(user)}` });
  }

  /** One page of the account's templates. */
  listTemplates(filter: TemplateFilter = {}, options: CallOptions = {}): Promise<TemplatePage> {
    return this.data({ ...options, method: 'GET', path: `/templates${queryOf(filter)}` });
  }

  /** All templates that fit, page by page. */
  async *eachTemplate(
    filter: TemplateFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<Template> {
    for (let cursor = filter.cursor; ; ) {
      const page = await this.listTemplates({ ...filter, cursor }, options);
      yield* page.templates;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /**
   * One page of the key's feed, the oldest first; `wait` is in seconds.
   * @throws ParleyError FEED_STATE if the key has no feed
   */
  listEvents(filter: FeedFilter = {}, options: CallOptions = {}): Promise<FeedPage> {
    return this.data({
      ...options,
      method: 'GET',
      path: `/events${queryOf(filter)}`,
      waitMs: 1_000 * (filter.wait ?? 0),
    });
  }

  /**
   * The events of the key's feed as they come, without end; stop with `signal`, or leave the loop.
   * @param onPage called with the cursor of each page when all of its events have been processed: go on there after a restart.
   */
  async *eachEvent(
    filter: FeedFilter = {},
    { onPage, ...options }: CallOptions & { onPage?: (cursor: string) => unknown } = {},
  ): AsyncGenerator<FeedEvent> {
    for (let cursor = filter.cursor; ; ) {
      const page = await this.listEvents({ wait: 25, ...filter, cursor }, options);
      yield* page.events;
      cursor = page.next_cursor;
      await onPage?.(cursor);
    }
  }

  /** A file that an end user sent, by the id that `message.received` names; the body is the file. */
  async getMedia(id: string, options: CallOptions = {}): Promise<Response> {
    const path = `/media/${encodeURIComponent(id)}`;
    const response = await this.answer({ ...options, method: 'GET', path });
    this.tell(response);
    return response;
  }

  /**
   * Uploads a file; `file.type` is its type. Messages name it by `media_id` wherever they take a `link`. It is read into
   * memory, and may take ten minutes.
   * @throws ParleyError MEDIA_TYPE, MEDIA_TOO_LARGE
   */
  async uploadMedia(file: Blob, options: CallOptions = {}): Promise<Upload> {
    const form = new FormData();
    form.set('file', file);
    const encoded = new Response(form);
    const body = new Encoded(
      new Uint8Array(await encoded.arrayBuffer()),
      encoded.headers.get('content-type') ?? '',
    );
    return this.data({ ...options, method: 'POST', path: '/media', body });
  }

  private tell(response: Response, meta?: Meta): void {
    this.options.onAnswer?.({
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? '',
      rateLimit: meta?.rate_limit ?? null,
      warnings: meta?.warnings ?? [],
      isReplay: response.headers.get('idempotency-replayed') === 'true',
    });
  }

  private send<Answer>(path: string, body: object, options: SendOptions): Promise<Answer> {
    const idempotencyKey = options.idempotencyKey ?? randomUUID();
    return this.data({ ...options, method: 'POST', path, body, idempotencyKey });
  }

  private async data<Answer>(call: Call): Promise<Answer> {
    const response = await this.answer(call);
    const { data, meta } = (await response.json()) as { data: Answer; meta: Meta };
    this.tell(response, meta);
    return data;
  }

  /** The successful answer, after as many repetitions as it takes and is allowed. */
  private async answer(call: Call): Promise<Response> {
    const { retriesMax = 3, retryWaitMaxSeconds = 60 } = this.options;
    for (let retries = 0; ; retries += 1) {
      const failure = await this.attempt(call).catch(
        (error: ParleyError | ConnectionError) => error,
      );
      if (failure instanceof Response) return failure;
      if (retries >= retriesMax || call.signal?.aborted || !mayPass(failure)) throw failure;
      const told = failure instanceof ConnectionError ? null : failure.retryAfterSeconds;
      const waitMs = told === null ? backoffMs(retries) : told * 1_000;
      if (waitMs > retryWaitMaxSeconds * 1_000) throw failure;
      await pause(waitMs, call.signal);
    }
  }

  private async attempt(call: Call): Promise<Response> {
    const { timeoutMs = 30_000 } = this.options;
    const url = new URL(prefix + call.path, this.options.baseUrl);
    // Serialised once: what is signed and what is sent must be the same bytes.
    const body = encode(call.body);
    const leastMs = call.body instanceof Encoded ? uploadTimeoutMs : 0;
    const timeout = AbortSignal.timeout(Math.max(timeoutMs + (call.waitMs ?? 0), leastMs));
    const response = await fetch(url, {
      method: call.method,
      headers: this.headersOf(call, url, body),
      ...(body && { body: body.bytes }),
      redirect: 'error',
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    }).catch((cause: unknown) => {
      if (call.signal?.aborted) throw call.signal.reason;
      throw new ConnectionError('no answer came', call.idempotencyKey ?? null, { cause });
    });
    if (response.ok) return response;
    throw await this.failureOf(response, call);
  }

  private headersOf(call: Call, url: URL, encoded: Encoded | null): Record<string, string> {
    const { apiKey, signingSecret, userAgent } = this.options;
    const target = url.pathname + url.search;
    const body = encoded?.bytes ?? '';
    return {
      'X-API-Key': apiKey,
      ...(userAgent && { 'User-Agent': userAgent }),
      ...(encoded && { 'Content-Type': encoded.contentType }),
      ...(call.idempotencyKey !== undefined && { 'Idempotency-Key': call.idempotencyKey }),
      ...(call.isAsync && { Prefer: 'respond-async' }),
      ...(signingSecret &&
        call.body instanceof Encoded && {
          'X-Content-SHA256': createHash('sha256').update(body).digest('hex'),
        }),
      ...(signingSecret && signatureHeaders(signingSecret, { method: call.method, target, body })),
    };
  }

  private async failureOf(
    response: Response,
    { idempotencyKey }: Call,
  ): Promise<ParleyError | ConnectionError> {
    const answer = (await response.json().catch(() => null)) as {
      error?: { code: ParleyError['code']; message: string; details?: Record<string, unknown> };
      meta?: Meta;
    } | null;
    if (!answer?.error) {
      return new ConnectionError(
        `a ${response.status} that is not Parley's; a proxy in between?`,
        idempotencyKey ?? null,
      );
    }
    this.tell(response, answer.meta);
    const { code, message, details = {} } = answer.error;
    const retryAfter = response.headers.get('retry-after');
    return errorOf({
      status: response.status,
      code,
      message,
      details,
      requestId: response.headers.get('x-request-id') ?? '',
      retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
    });
  }
}

function encode(body: object | undefined): Encoded | null {
  if (body === undefined || body instanceof Encoded) return body ?? null;
  return new Encoded(JSON.stringify(body), 'application/json');
}

/** Whether the same request can succeed later. A send that failed is over: another one is the caller's choice. */
function mayPass(failure: ParleyError | ConnectionError): boolean {
  return failure instanceof ConnectionError || passing.has(failure.code);
}

/** Doubling, with half of it by chance, so that many callers do not come back together. */
function backoffMs(retries: number): number {
  return firstWaitMs * 2 ** retries * (0.5 + Math.random());
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}

function queryOf(filter: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (present.length === 0) return '';
  const query = new URLSearchParams();
  for (const [name, value] of present) query.set(name, String(value));
  return `?${query.toString()}`;
}
