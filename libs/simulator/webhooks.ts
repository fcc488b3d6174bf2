import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { minuteMs } from '#libs/durations';
import type { LogRecord } from './options.js';
import { accountOf, type Notification, signatureOf, webhookBody } from './webhook-body.js';

/** What webhooks are sent with. */
export interface WebhookOptions {
  url: string;
  appSecret: string;
  /** First wait after a failure; doubles with each further one, up to ten minutes. */
  retryMs: number;
  /** Whether an app is subscribed to a business account; nothing is sent for the others. */
  isWanted: (accountId: string) => boolean;
  log: (record: LogRecord) => void;
}

/** Figures about webhooks, for the simulator's statistics. */
export interface WebhookStats {
  /** Calls that got 200. */
  delivered: number;
  /** Calls that did not. */
  failed: number;
  /** Notifications that wait for their first or next call. */
  waiting: number;
  /** Notifications given up: too many waited, or too many tries failed. */
  dropped: number;
}

/** Notifications that go out in one call. */
interface Packet {
  notifications: Notification[];
  /** May not be joined with others: asked for as a batch, forged, or tried before. */
  isFixed: boolean;
  hasBadSignature: boolean;
  failures: number;
  /** Called when the first attempt is over. */
  onTried: (() => void) | null;
}

const postsAtOnce = 16;
/** Below this many waiting each notification has a call of its own; above, calls are shared. */
const lightLoadMax = 64;
const joinedMax = 100;
const waitingMax = 250_000;
const triesMax = 20;
const answerTimeoutMs = 10_000;
/** After this many failures in a row the receiver counts as down: it then gets one call at a time. */
const awayAfterFailures = 5;
const awayPauseMs = 250;

/**
 * Calls the receiver: signed, several at a time, repeated until it answers 200. As with the
 * platform itself, order is not kept and a notification may come twice.
 */
export class Webhooks {
  private queue: Packet[] = [];
  private head = 0;
  private inFlight = 0;
  private failuresInRow = 0;
  private isPaused = false;
  private isClosed = false;
  private batch: Notification[] = [];
  private readonly counts: WebhookStats = { delivered: 0, failed: 0, waiting: 0, dropped: 0 };
  private readonly target: URL;
  private readonly agent: HttpAgent;
  private readonly request: typeof httpRequest;

  constructor(private readonly options: WebhookOptions) {
    this.target = new URL(options.url);
    const isSecure = this.target.protocol === 'https:';
    const settings = { keepAlive: true, maxSockets: postsAtOnce };
    this.agent = isSecure ? new HttpsAgent(settings) : new HttpAgent(settings);
    this.request = isSecure ? httpsRequest : httpRequest;
  }

  /** Sends soon, in a call of its own unless many wait. */
  send(notification: Notification, hasBadSignature = false): void {
    this.add([notification], hasBadSignature, hasBadSignature, null);
  }

  /** Sends, and resolves when the receiver has answered or failed to, for the first time. */
  sendAndWait(notification: Notification): Promise<void> {
    return new Promise((resolve) => this.add([notification], true, false, resolve));
  }

  /** Collects until there are enough, or a second has passed, and sends them in one call. */
  sendInBatch(notification: Notification, size: number): void {
    this.batch.push(notification);
    if (this.batch.length >= size) this.flushBatch();
    else if (this.batch.length === 1) setTimeout(() => this.flushBatch(), 1000).unref();
  }

  /** Where they go. */
  get url(): string {
    return this.options.url;
  }

  stats(): WebhookStats {
    return { ...this.counts };
  }

  close(): void {
    this.isClosed = true;
    this.queue = [];
    this.head = 0;
    this.agent.destroy();
  }

  private flushBatch(): void {
    if (this.batch.length === 0) return;
    const notifications = this.batch;
    this.batch = [];
    this.add(notifications, true, false, null);
  }

  private add(
    given: Notification[],
    isFixed: boolean,
    hasBadSignature: boolean,
    onTried: (() => void) | null,
  ): void {
    const notifications = given.filter((one) => this.options.isWanted(accountOf(one)));
    if (notifications.length === 0) {
      onTried?.();
      return;
    }
    if (this.isClosed || this.counts.waiting >= waitingMax) {
      this.counts.dropped += notifications.length;
      onTried?.();
      return;
    }
    this.counts.waiting += notifications.length;
    this.queue.push({ notifications, isFixed, hasBadSignature, failures: 0, onTried });
    this.pump();
  }

  private pump(): void {
    for (;;) {
      const concurrentMax = this.failuresInRow >= awayAfterFailures ? 1 : postsAtOnce;
      if (this.isClosed || this.isPaused || this.inFlight >= concurrentMax) return;
      const packet = this.take();
      if (packet === null) return;
      this.inFlight++;
      void this.deliver(packet);
    }
  }

  /** The next packet, joined with those behind it when many wait. */
  private take(): Packet | null {
    const packet = this.queue[this.head];
    if (packet === undefined) return null;
    this.head++;
    const waiting = this.queue.length - this.head;
    if (waiting > lightLoadMax && !packet.isFixed) {
      const share = Math.min(joinedMax, Math.ceil(waiting / postsAtOnce));
      for (let next = this.queue[this.head]; next !== undefined; next = this.queue[this.head]) {
        if (next.isFixed || packet.notifications.length >= share) break;
        packet.notifications.push(...next.notifications);
        this.head++;
      }
    }
    if (this.head > 1024 && this.head * 2 > this.queue.length) {
      this.queue = this.queue.slice(this.head);
      this.head = 0;
    }
    return packet;
  }

  private async deliver(packet: Packet): Promise<void> {
    const status = await this.post(packet);
    this.inFlight--;
    if (this.isClosed) return;
    if (status === 200) {
      this.failuresInRow = 0;
      this.counts.delivered++;
      this.counts.waiting -= packet.notifications.length;
    } else this.retryLater(packet, status);
    packet.onTried?.();
    packet.onTried = null;
    this.pump();
  }

  private retryLater(packet: Packet, status: number | null): void {
    this.counts.failed++;
    packet.failures++;
    // A forged call is made once; that it is turned away says nothing about the receiver.
    if (packet.hasBadSignature || packet.failures >= triesMax) {
      this.counts.waiting -= packet.notifications.length;
      if (!packet.hasBadSignature) this.counts.dropped += packet.notifications.length;
      return;
    }
    this.failuresInRow++;
    if (this.failuresInRow === awayAfterFailures) {
      this.options.log({ level: 'warn', message: 'webhooks are not taken', status });
    }
    if (this.failuresInRow >= awayAfterFailures) this.pause();
    packet.isFixed = true;
    const delayMs = Math.min(10 * minuteMs, this.options.retryMs * 2 ** (packet.failures - 1));
    setTimeout(() => {
      if (this.isClosed) return;
      this.queue.push(packet);
      this.pump();
    }, delayMs).unref();
  }

  private pause(): void {
    this.isPaused = true;
    setTimeout(() => {
      this.isPaused = false;
      this.pump();
    }, awayPauseMs).unref();
  }

  /** The status of the answer, or null when there was none. */
  private post(packet: Packet): Promise<number | null> {
    const body = webhookBody(packet.notifications);
    const secret = packet.hasBadSignature
      ? `not ${this.options.appSecret}`
      : this.options.appSecret;
    return new Promise((resolve) => {
      const request = this.request(this.target, {
        method: 'POST',
        agent: this.agent,
        timeout: answerTimeoutMs,
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          'user-agent': 'facebookexternalua',
          'x-hub-signature-256': signatureOf(body, secret),
        },
      });
      request.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? null));
        response.on('error', () => resolve(null));
      });
      request.on('timeout', () => request.destroy());
      request.on('error', () => resolve(null));
      request.on('close', () => resolve(null));
      request.end(body);
    });
  }
}
