import { type CallOptions, Encoded, type ParleyOptions, queryOf, Transport } from './transport.js';
import type {
  AddedRecipients,
  ButtonMessage,
  Campaign,
  CampaignEstimate,
  CampaignPage,
  CampaignRecipient,
  CampaignRetry,
  CarouselMessage,
  ConsentImported,
  Consents,
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
  NewConsent,
  NewlyAddedWebhook,
  NewWebhook,
  PageFilter,
  RawTemplateMessage,
  ReactionMessage,
  RecipientFilter,
  RecipientPage,
  RecoveredEvents,
  SentMessage,
  SentTemplate,
  Template,
  TemplateFilter,
  TemplateMessage,
  TemplatePage,
  TextMessage,
  Upload,
  User,
  Webhook,
  WebhookChange,
  WebhookPage,
  WebhookSecret,
  WebhookTest,
} from './types.js';

export interface SendOptions extends CallOptions {
  /** Under which the same send can be repeated for 24 hours; default: a new one for each call. */
  readonly idempotencyKey?: string;
  /** Answer as soon as the message is queued; what comes of it arrives by webhook. */
  readonly isAsync?: boolean;
}

/** Options of other requests that can be repeated. */
export interface RepeatableOptions extends CallOptions {
  /** Under which the same request can be repeated for 24 hours; default: a new one for each call. */
  readonly idempotencyKey?: string;
}

export interface ReadOptions extends CallOptions {
  /** Also show the user that you are writing, for 25 seconds or until your next message. */
  readonly isTyping?: boolean;
}

/**
 * Parley's API. Every method resolves with the `data` of the answer, or rejects with a
 * `ParleyError` or a `ConnectionError`. What may succeed later is repeated, under the same
 * idempotency key, so that nothing is sent twice.
 */
export class Parley {
  private readonly transport: Transport;

  constructor(options: ParleyOptions) {
    this.transport = new Transport(options);
  }

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
    return this.transport.data({ ...options, method: 'POST', path: '/messages/read', body });
  }

  /** @throws ParleyError MESSAGE_NOT_FOUND */
  getMessage(id: string, options: CallOptions = {}): Promise<Message> {
    return this.transport.data({
      ...options,
      method: 'GET',
      path: `/messages/${encodeURIComponent(id)}`,
    });
  }

  /**
   * Sends a scheduled message at another time.
   * @throws ValidationFailedError; ParleyError MESSAGE_NOT_FOUND; MESSAGE_STATE once it is released
   */
  moveMessage(id: string, sendAt: Date, options: CallOptions = {}): Promise<ListedMessage> {
    const path = `/messages/${encodeURIComponent(id)}`;
    return this.transport.data({
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
    return this.transport.data({ ...options, method: 'POST', path });
  }

  /** Makes a campaign, a draft without recipients. @throws ParleyError TEMPLATE_NOT_FOUND, TEMPLATE_NOT_CONFIGURED */
  createCampaign(campaign: NewCampaign, options: RepeatableOptions = {}): Promise<Campaign> {
    return this.campaign('POST', '/campaigns', options, campaign);
  }

  /**
   * Adds up to 1,000 recipients to a draft. Those that are wrong are named in the answer and prevent no others.
   * @throws ParleyError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE after the start
   */
  addRecipients(
    campaignId: string,
    recipients: readonly CampaignRecipient[],
    options: RepeatableOptions = {},
  ): Promise<AddedRecipients> {
    const path = `/campaigns/${encodeURIComponent(campaignId)}/recipients`;
    return this.repeatable(path, { recipients }, options);
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

  /** One page, newest first. */
  listCampaigns(filter: PageFilter = {}, options: CallOptions = {}): Promise<CampaignPage> {
    return this.transport.data({ ...options, method: 'GET', path: `/campaigns${queryOf(filter)}` });
  }

  /** What a campaign would do if it began now. @throws ParleyError CAMPAIGN_NOT_FOUND */
  estimateCampaign(id: string, options: CallOptions = {}): Promise<CampaignEstimate> {
    const path = `/campaigns/${encodeURIComponent(id)}/estimate`;
    return this.transport.data({ ...options, method: 'GET', path });
  }

  /** One page of those whom a campaign is for, and what came of each. @throws ParleyError CAMPAIGN_NOT_FOUND */
  listCampaignRecipients(
    id: string,
    filter: RecipientFilter = {},
    options: CallOptions = {},
  ): Promise<RecipientPage> {
    const path = `/campaigns/${encodeURIComponent(id)}/recipients${queryOf(filter)}`;
    return this.transport.data({ ...options, method: 'GET', path });
  }

  /**
   * Makes a draft for those whom a campaign did not reach.
   * @throws ParleyError CAMPAIGN_NOT_FOUND; CAMPAIGN_STATE before it has ended
   */
  retryCampaign(
    id: string,
    which: CampaignRetry = {},
    options: RepeatableOptions = {},
  ): Promise<Campaign> {
    return this.campaign('POST', `/campaigns/${encodeURIComponent(id)}/retry`, options, which);
  }

  private async campaign(
    method: 'GET' | 'POST',
    path: string,
    { idempotencyKey, ...options }: RepeatableOptions,
    body?: object,
  ): Promise<Campaign> {
    const key = idempotencyKey ?? (body && crypto.randomUUID());
    const { campaign } = await this.transport.data<{ campaign: Campaign }>({
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
    return this.transport.data({ ...options, method: 'GET', path: `/messages${queryOf(filter)}` });
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
    const { contact } = await this.transport.data<{ contact: Contact }>({
      ...options,
      method: 'GET',
      path,
    });
    return contact;
  }

  /** One page of contacts, newest first; with a number or a user id, those who have it. */
  listContacts(filter: ContactFilter = {}, options: CallOptions = {}): Promise<ContactPage> {
    return this.transport.data({ ...options, method: 'GET', path: `/contacts${queryOf(filter)}` });
  }

  /** Whether messages that are no templates reach a user now. */
  contactWindow(user: User, options: CallOptions = {}): Promise<ContactWindow> {
    return this.transport.data({
      ...options,
      method: 'GET',
      path: `/contacts/window${queryOf(user)}`,
    });
  }

  /** Whether a user has opted in or out, and who said so. */
  getConsent(user: User, options: CallOptions = {}): Promise<Consents> {
    const path = `/contacts/consent${queryOf(user)}`;
    return this.transport.data({ ...options, method: 'GET', path });
  }

  /** Notes that a user has opted in or out. */
  setConsent(consent: NewConsent, options: CallOptions = {}): Promise<Consents> {
    const path = '/contacts/consent';
    return this.transport.data({ ...options, method: 'PUT', path, body: consent });
  }

  /** Notes up to 1,000 of them. Those that are wrong are named in the answer and prevent no others. */
  importConsent(
    items: readonly NewConsent[],
    options: RepeatableOptions = {},
  ): Promise<ConsentImported> {
    return this.repeatable('/contacts/consent/import', { items }, options);
  }

  /** One page of the key's webhooks. */
  listWebhooks(filter: PageFilter = {}, options: CallOptions = {}): Promise<WebhookPage> {
    return this.transport.data({ ...options, method: 'GET', path: `/webhooks${queryOf(filter)}` });
  }

  /**
   * Adds a webhook. The answer has its secret.
   * @throws ParleyError WEBHOOK_LIMIT, ACCOUNT_LIMIT; PERMISSION_DENIED for events that the key may not read
   */
  async createWebhook(
    webhook: NewWebhook,
    options: RepeatableOptions = {},
  ): Promise<NewlyAddedWebhook> {
    const answer = await this.repeatable<{ webhook: NewlyAddedWebhook }>(
      '/webhooks',
      webhook,
      options,
    );
    return answer.webhook;
  }

  /** @throws ParleyError NOT_FOUND */
  getWebhook(id: string, options: CallOptions = {}): Promise<Webhook> {
    return this.webhook('GET', id, '', options);
  }

  /** @throws ParleyError NOT_FOUND; PERMISSION_DENIED for events that the key may not read */
  updateWebhook(id: string, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> {
    return this.webhook('PATCH', id, '', options, change);
  }

  /** @throws ParleyError NOT_FOUND; CONFLICT for the one of the key's settings */
  async deleteWebhook(id: string, options: CallOptions = {}): Promise<void> {
    const path = `/webhooks/${encodeURIComponent(id)}`;
    await this.transport.data({ ...options, method: 'DELETE', path });
  }

  /** Switches a webhook on again that failed for too long. @throws ParleyError NOT_FOUND */
  enableWebhook(id: string, options: CallOptions = {}): Promise<Webhook> {
    return this.webhook('POST', id, '/enable', options);
  }

  /** Delivers again what failed since a time. @throws ParleyError NOT_FOUND, CONFLICT while it is off */
  recoverWebhook(id: string, since: Date, options: CallOptions = {}): Promise<RecoveredEvents> {
    const path = `/webhooks/${encodeURIComponent(id)}/recover`;
    const body = { since: since.toISOString() };
    return this.transport.data({ ...options, method: 'POST', path, body });
  }

  /**
   * Gives a webhook another secret; the old one signs too for a day. One of the format `whatsapp` signs with the new one
   * alone, which may be given.
   * @throws ParleyError NOT_FOUND
   */
  rotateWebhookSecret(
    id: string,
    options: CallOptions & { readonly secret?: string } = {},
  ): Promise<WebhookSecret> {
    const { secret, ...others } = options;
    const path = `/webhooks/${encodeURIComponent(id)}/rotate-secret`;
    const body = secret === undefined ? {} : { body: { secret } };
    return this.transport.data({ ...others, method: 'POST', path, ...body });
  }

  /** Sends the event `webhook.test`. @throws ParleyError NOT_FOUND, CONFLICT while it is off */
  testWebhook(id: string, options: CallOptions = {}): Promise<WebhookTest> {
    const path = `/webhooks/${encodeURIComponent(id)}/test`;
    return this.transport.data({ ...options, method: 'POST', path });
  }

  private async webhook(
    method: 'GET' | 'POST' | 'PATCH',
    id: string,
    action: string,
    options: CallOptions,
    body?: object,
  ): Promise<Webhook> {
    const path = `/webhooks/${encodeURIComponent(id)}${action}`;
    const call = { ...options, method, path, ...(body && { body }) };
    const { webhook } = await this.transport.data<{ webhook: Webhook }>(call);
    return webhook;
  }

  private repeatable<Answer>(
    path: string,
    body: object,
    { idempotencyKey = crypto.randomUUID(), ...options }: RepeatableOptions,
  ): Promise<Answer> {
    return this.transport.data({ ...options, method: 'POST', path, body, idempotencyKey });
  }

  /** One page of the account's templates. */
  listTemplates(filter: TemplateFilter = {}, options: CallOptions = {}): Promise<TemplatePage> {
    return this.transport.data({ ...options, method: 'GET', path: `/templates${queryOf(filter)}` });
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
    return this.transport.data({
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
    const response = await this.transport.answer({ ...options, method: 'GET', path });
    this.transport.tell(response);
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
    return this.transport.data({ ...options, method: 'POST', path: '/media', body });
  }

  private send<Answer>(path: string, body: object, options: SendOptions): Promise<Answer> {
    const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
    return this.transport.data({ ...options, method: 'POST', path, body, idempotencyKey });
  }
}
