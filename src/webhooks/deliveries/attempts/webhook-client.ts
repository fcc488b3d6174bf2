import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, type Dispatcher } from 'undici';
import { Config } from '../../../config/config.js';
import { storableText } from '../../../database/storable-text.js';
import { guardedConnector } from './address-guard.js';
import { parseRetryAfter } from './retry-schedule.js';

/** The limit for a whole attempt, from the look-up to the last byte of the answer. */
const totalTimeoutMs = 15_000;
const connectTimeoutMs = 5_000;

/** How much of an answer is read, so that a receiver cannot make us read for ever. */
const responseMaxBytes = 16 * 1024;

/** How much of it is kept for the log. */
const keptBytes = 1_024;

/** Receivers' load balancers commonly close idle sockets after five seconds. */
const idleSocketMs = 4_000;

/** The result of one attempt. */
export interface AttemptAnswer {
  /** Null when there was no answer. */
  readonly statusCode: number | null;
  /** The first 1 KiB of the answer. */
  readonly response: string | null;
  /** Why there was no answer: `timeout`, `dns`, `blocked_address`, `connect`, `tls`, `reset`, `url`. */
  readonly error: string | null;
  readonly retryAfterSeconds: number | null;
  readonly durationMs: number;
}

/** Why an attempt was not made: the lease of its endpoint ended before the first byte was written. */
export class LeaseEndedError extends Error {}

/** Posts events to receivers. Redirects are not followed, no proxy is used. */
@Injectable()
export class WebhookClient implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(config: Config) {
    this.agent = new Agent({
      connect: guardedConnector({
        allowPrivate: config.webhookAllowPrivate,
        timeoutMs: connectTimeoutMs,
      }),
      // An event queued behind a hanging one would hang too.
      pipelining: 1,
      keepAliveTimeout: idleSocketMs,
      keepAliveMaxTimeout: idleSocketMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Makes one attempt.
   * @param mayWrite asked when the request is about to be written, which can be long after this call.
   * @throws LeaseEndedError when it may not; nothing was written then. Nothing else is thrown.
   */
  async post(
    url: string,
    headers: Record<string, string>,
    body: string,
    mayWrite: () => boolean,
  ): Promise<AttemptAnswer> {
    const startedAt = performance.now();
    const exchange = new Exchange(mayWrite);
    try {
      const { origin, pathname, search } = new URL(url);
      this.agent.dispatch(
        {
          origin,
          path: pathname + search,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'parley' },
          body,
        },
        exchange,
      );
    } catch (error) {
      exchange.onResponseError(null, error);
    }
    const answer = await exchange.answer;
    return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }
}

type Answer = Omit<AttemptAnswer, 'durationMs'>;

/** One request and the start of its answer. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  private resolve: (answer: Answer) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;
  private controller: Dispatcher.DispatchController | null = null;
  private readonly timer: NodeJS.Timeout;
  private statusCode: number | null = null;
  private retryAfterSeconds: number | null = null;
  private chunks: Buffer[] = [];
  private bytes = 0;
  private isTimedOut = false;

  constructor(private readonly mayWrite: () => boolean) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = setTimeout(() => this.timeOut(), totalTimeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isTimedOut || !this.mayWrite()) controller.abort(new LeaseEndedError());
  }

  onResponseStart(
    _controller: unknown,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (statusCode < 200) return;
    this.statusCode = statusCode;
    this.retryAfterSeconds = parseRetryAfter(headers['retry-after']);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes < responseMaxBytes) return;
    this.end();
    controller.abort(new Error('the answer is too long to read in full'));
  }

  onResponseEnd(): void {
    this.end();
  }

  /** The status has already decided, so the rest of the answer does not matter. */
  onResponseError(_controller: unknown, error: unknown): void {
    if (this.statusCode !== null) this.end();
    else if (error instanceof LeaseEndedError && !this.isTimedOut) {
      clearTimeout(this.timer);
      this.reject(error);
    } else this.end(this.isTimedOut ? 'timeout' : classOf(error));
  }

  private timeOut(): void {
    this.isTimedOut = true;
    this.end(this.statusCode === null ? 'timeout' : null);
    this.controller?.abort(new Error('the attempt took too long'));
  }

  /** Settles once; later calls change nothing. */
  private end(error: string | null = null): void {
    clearTimeout(this.timer);
    const start = Buffer.concat(this.chunks).subarray(0, keptBytes).toString('utf8');
    this.resolve({
      statusCode: this.statusCode,
      response: this.statusCode === null ? null : storableText(start),
      error,
      retryAfterSeconds: this.retryAfterSeconds,
    });
  }
}

function classOf(error: unknown): string {
  const { name = '', code = '' } = (error instanceof Error ? error : {}) as {
    name?: string;
    code?: string;
  };
  if (code === 'ERR_BLOCKED_ADDRESS') return 'blocked_address';
  if (name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT|ETIMEDOUT/.test(code)) {
    return 'timeout';
  }
  if (/^(ENOTFOUND|EAI_|ENODATA)/.test(code)) return 'dns';
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return 'connect';
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)|EPROTO/.test(code)) return 'tls';
  if (/INVALID|URL/.test(code)) return 'url';
  return 'reset';
}
