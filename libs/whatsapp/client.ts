import { Agent, type Dispatcher, Pool } from 'undici';
import { type AccessTokenFacts, inspectToken } from './access-token.js';
import { exchange } from './exchange.js';
import { getFundingId } from './funding.js';
import {
  downloadMedia,
  getMedia,
  type Media,
  type MediaDownload,
  type MediaUpload,
  uploadMedia,
} from './media.js';
import {
  describePhoneNumber,
  getPhoneNumber,
  type PhoneNumberResult,
  registerNumber,
} from './phone-number.js';
import { markRead, type ReadReceipt } from './read-receipt.js';
import type { ReadTarget } from './reads.js';
import { type SendResult, toSendResult } from './send-result.js';
import type { Sender } from './sender.js';
import { listSubscribedApps, subscribeApp } from './subscriptions.js';
import {
  type BusinessAccount,
  listTemplates,
  type TemplateDefinition,
  type TemplateListOptions,
} from './templates.js';

/** How to reach the platform. */
export interface WhatsAppClientOptions {
  /** Origin and version prefix, e.g. `https://graph.facebook.com/v25.0`. */
  baseUrl: string;
  /** The `User-Agent` of every request. */
  userAgent: string;
  /**
   * Sockets for sends and uploads, and as many for files that are read. Keep it at least as high as the number in
   * flight, or they wait for each other.
   */
  connections: number;
  /**
   * From the first byte written to the last byte of the answer, in milliseconds.
   * @default 20_000
   */
  timeoutMs?: number;
  /**
   * For everything before the first byte, in milliseconds: a free socket, DNS, TCP, TLS.
   * @default 5_000
   */
  connectTimeoutMs?: number;
}

/** An answer to a send is a few hundred bytes; a longer one is not the platform's. */
const maxAnswerBytes = 1024 * 1024;

/**
 * A socket that was idle for longer may be closed by the other side while we write to it, which makes the send
 * ambiguous. Load balancers commonly close after 5 s or more.
 */
const idleSocketMs = 4_000;

/** Reads have sockets of their own, so that a slow page of templates never delays a send. */
const readConnections = 4;

/** The platform's HTTP API for one base URL. Holds sockets: call {@link close} or {@link destroy} when done. */
export class WhatsAppClient {
  private readonly pool: Pool;
  private readonly reads: ReadTarget & { files: Agent; dispatcher: Pool };
  private readonly basePath: string;
  private readonly timeoutMs: number;
  private readonly connectTimeoutMs: number;

  constructor(options: WhatsAppClientOptions) {
    const url = new URL(options.baseUrl);
    this.basePath = url.pathname.replace(/(?<!\/)\/+$/, '');
    this.timeoutMs = options.timeoutMs ?? 20_000;
    this.connectTimeoutMs = options.connectTimeoutMs ?? 5_000;
    const sockets = {
      // A second request behind one that hangs would share its fate.
      pipelining: 1,
      keepAliveTimeout: idleSocketMs,
      keepAliveMaxTimeout: idleSocketMs,
      connect: { timeout: this.connectTimeoutMs },
    };
    this.pool = new Pool(url.origin, {
      ...sockets,
      connections: options.connections,
      // Time after the write is measured by the exchange itself.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.reads = {
      dispatcher: new Pool(url.origin, {
        ...sockets,
        connections: readConnections,
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
      files: new Agent({ ...sockets, connections: options.connections }),
      origin: url.origin,
      userAgent: options.userAgent,
      basePath: this.basePath,
      timeoutMs: this.timeoutMs,
      connectTimeoutMs: this.connectTimeoutMs,
    };
  }

  /**
   * Posts one message, once. Never throws and never repeats; takes at most `connectTimeoutMs` + `timeoutMs`.
   *
   * @param body the request body as JSON text, sent as these very bytes (UTF-8)
   * @param options `signal` gives up: `not_written` before the first byte, `ambiguous` after it
   */
  async send(
    sender: Sender,
    body: string,
    options?: { signal?: AbortSignal },
  ): Promise<SendResult> {
    const startedAt = performance.now();
    const result = await exchange(this.pool, this.messagesRequest(sender, body), {
      connectTimeoutMs: this.connectTimeoutMs,
      timeoutMs: this.timeoutMs,
      maxBytes: maxAnswerBytes,
      signal: options?.signal,
    });
    return toSendResult(result, sender.accessToken, Math.round(performance.now() - startedAt));
  }

  /**
   * All templates of an account, page by page, or with `name` those the platform finds by it (which may include longer
   * names). Each language is an entry of its own. Throws `PlatformRequestError`; a list is never cut short.
   */
  listTemplates(
    account: BusinessAccount,
    options?: TemplateListOptions,
  ): Promise<TemplateDefinition[]> {
    return listTemplates(this.reads, account, options);
  }

  /** The sender's number with its health, as a probe: it sends nothing. Does not throw for what the platform does. */
  getPhoneNumber(sender: Sender, options?: { signal?: AbortSignal }): Promise<PhoneNumberResult> {
    return getPhoneNumber(this.reads, sender, options);
  }

  /** The sender's number in the platform's own form, with all that it tells of one. Throws `PlatformRequestError`. */
  describePhoneNumber(sender: Sender): Promise<{ readonly id: string }> {
    return describePhoneNumber(this.reads, sender);
  }

  /** The names of the apps that the account's notifications go to. Throws `PlatformRequestError`. */
  listSubscribedApps(account: BusinessAccount): Promise<string[]> {
    return listSubscribedApps(this.reads, account);
  }

  /** Has the account's notifications sent to the app of the token. Throws `PlatformRequestError`. */
  subscribeApp(account: BusinessAccount): Promise<void> {
    return subscribeApp(this.reads, account);
  }

  /**
   * Registers the sender's number for the Cloud API, so that it can send.
   * @param pin six digits: those of the number's two-step verification, or its new ones where it has none.
   * Throws `PlatformRequestError`.
   */
  registerNumber(sender: Sender, pin: string): Promise<void> {
    return registerNumber(this.reads, sender, pin);
  }

  /** What the platform says of a token, asked with the token itself. Throws `PlatformRequestError`. */
  inspectToken(accessToken: string): Promise<AccessTokenFacts> {
    return inspectToken(this.reads, accessToken);
  }

  /** The id of the account's payment method; null without one. Throws `PlatformRequestError`. */
  getFundingId(account: BusinessAccount): Promise<string | null> {
    return getFundingId(this.reads, account);
  }

  /** Where a media id can be fetched for the next five minutes. Throws `PlatformRequestError`. */
  getMedia(id: string, accessToken: string, options?: { signal?: AbortSignal }): Promise<Media> {
    return getMedia(this.reads, id, accessToken, options);
  }

  /**
   * Fetches a file by the URL of {@link getMedia}, 100 MB at most. The token goes to the platform's own hosts over https and
   * to the base URL's origin, nowhere else. Throws `PlatformRequestError`, and so does the stream.
   */
  downloadMedia(
    url: string,
    accessToken: string,
    options?: { signal?: AbortSignal },
  ): Promise<MediaDownload> {
    return downloadMedia(this.reads, url, accessToken, options);
  }

  /**
   * Uploads a file while it is read, and returns the platform's id of it, which lasts 30 days. It has as long as its bytes
   * take, and `timeoutMs` whenever the platform is waited for. Throws `PlatformRequestError`, and what reading throws.
   */
  uploadMedia(sender: Sender, upload: MediaUpload): Promise<string> {
    return uploadMedia({ ...this.reads, dispatcher: this.pool }, sender, upload);
  }

  /**
   * Marks a user's message and the earlier ones as read, and shows "typing" if told to: for 25 s or until the next message.
   * Throws `PlatformRequestError`; `wasWritten` says whether it may be done nevertheless.
   */
  markRead(sender: Sender, receipt: ReadReceipt): Promise<void> {
    return markRead({ ...this.reads, dispatcher: this.pool }, sender, receipt);
  }

  /** Waits for what is in flight, then closes all sockets. Later sends are `not_written`. */
  async close(): Promise<void> {
    const { dispatcher, files } = this.reads;
    await Promise.all([this.pool.close(), dispatcher.close(), files.close()]);
  }

  /** Closes all sockets now. What is in flight becomes `ambiguous`, reason `aborted`. */
  async destroy(): Promise<void> {
    const { dispatcher, files } = this.reads;
    await Promise.all([this.pool.destroy(), dispatcher.destroy(), files.destroy()]);
  }

  private messagesRequest(sender: Sender, body: string): Dispatcher.DispatchOptions {
    return {
      method: 'POST',
      path: `${this.basePath}/${encodeURIComponent(sender.phoneNumberId)}/messages`,
      headers: [
        'authorization',
        `Bearer ${sender.accessToken}`,
        'content-type',
        'application/json',
        'accept',
        'application/json',
        'user-agent',
        this.reads.userAgent,
      ],
      body,
    };
  }
}
