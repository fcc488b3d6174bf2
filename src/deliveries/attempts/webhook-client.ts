import http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { userAgent } from '../../config/version.js';
import { storableText } from '../../database/storable-text.js';
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

/**
 * Posts events to receivers. Redirects are not followed, no proxy is used. `node:http` posts them, because undici breaks
 * off at a `100 Continue` that it did not ask for.
 */
@Injectable()
export class WebhookClient implements OnApplicationShutdown {
  private readonly agents: Readonly<Record<string, http.Agent>>;

  constructor(config: Config) {
    const connect = guardedConnector({
      allowPrivate: config.webhookAllowPrivate,
      timeoutMs: connectTimeoutMs,
    });
    this.agents = {
      'http:': new GuardedAgent('http:', 80, connect),
      'https:': new GuardedAgent('https:', 443, connect),
    };
  }

  /**
   * Makes one attempt.
   * @param mayWrite asked when the request is about to be written, which can be long after this call.
   * @throws LeaseEndedError when it may not; nothing was written then. Nothing else is thrown.
   */
  post(
    url: string,
    headers: Record<string, string>,
    body: string,
    mayWrite: () => boolean,
  ): Promise<AttemptAnswer> {
    const described = {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    };
    const exchange = new Exchange(body, mayWrite, totalTimeoutMs);
    return this.exchange('POST', url, described, exchange);
  }

  /** Asks an endpoint for something. Nothing is thrown. */
  get(url: string, timeoutMs: number): Promise<AttemptAnswer> {
    return this.exchange('GET', url, {}, new Exchange('', () => true, timeoutMs));
  }

  private async exchange(
    method: 'GET' | 'POST',
    url: string,
    headers: Record<string, string>,
    exchange: Exchange,
  ): Promise<AttemptAnswer> {
    const startedAt = performance.now();
    try {
      const { protocol, hostname, port, host, pathname, search } = new URL(url);
      exchange.start(
        http.request({
          agent: this.agents[protocol],
          protocol,
          hostname,
          port,
          path: pathname + search,
          method,
          headers: {
            ...headers,
            host,
            // The start of the answer is shown as it comes.
            'accept-encoding': 'identity',
            'user-agent': userAgent,
          },
        }),
      );
    } catch (error) {
      exchange.fail(error);
    }
    const answer = await exchange.answer;
    return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
  }

  onApplicationShutdown(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }
}

/** Keeps connections that the guard has let through. */
class GuardedAgent extends http.Agent {
  constructor(
    readonly protocol: string,
    readonly defaultPort: number,
    private readonly connect: ReturnType<typeof guardedConnector>,
  ) {
    super({ keepAlive: true, timeout: idleSocketMs });
  }

  override createConnection(
    { host, port }: http.ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { protocol, defaultPort } = this;
    const name = host ?? '';
    this.connect(
      {
        hostname: name.replace(/^\[|\]$/g, ''),
        host: name,
        protocol,
        port: String(port ?? defaultPort),
      },
      (...[error, socket]) => callback?.(error, socket as Socket),
    );
  }
}

type Answer = Omit<AttemptAnswer, 'durationMs'>;

/** One request and the start of its answer. */
class Exchange {
  readonly answer: Promise<Answer>;
  private resolve: (answer: Answer) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;
  private request: http.ClientRequest | null = null;
  private readonly timer: NodeJS.Timeout;
  private statusCode: number | null = null;
  private retryAfterSeconds: number | null = null;
  private chunks: Buffer[] = [];
  private bytes = 0;
  private isTimedOut = false;

  constructor(
    private readonly body: string,
    private readonly mayWrite: () => boolean,
    timeoutMs: number,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = setTimeout(() => this.timeOut(), timeoutMs);
  }

  /** Writes head and body together, once the connection is there. */
  start(request: http.ClientRequest): void {
    this.request = request;
    request.on('socket', () => {
      if (this.mayWrite()) request.end(this.body);
      else request.destroy(new LeaseEndedError());
    });
    request.on('response', (response) => this.read(response));
    request.on('error', (error) => this.fail(error));
    // A receiver that switches protocols causes no error.
    request.on('close', () => this.fail(null));
  }

  /** The status has already decided, so the rest of the answer does not matter. */
  fail(error: unknown): void {
    if (this.statusCode !== null) this.end();
    else if (error instanceof LeaseEndedError && !this.isTimedOut) {
      clearTimeout(this.timer);
      this.reject(error);
    } else this.end(this.isTimedOut ? 'timeout' : classOf(error));
  }

  private read(response: http.IncomingMessage): void {
    this.statusCode = response.statusCode ?? null;
    this.retryAfterSeconds = parseRetryAfter(response.headers['retry-after']);
    response.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.bytes += chunk.length;
      if (this.bytes < responseMaxBytes) return;
      this.end();
      response.destroy();
    });
    response.on('end', () => this.end());
    response.on('error', (error) => this.fail(error));
  }

  private timeOut(): void {
    this.isTimedOut = true;
    this.end(this.statusCode === null ? 'timeout' : null);
    this.request?.destroy();
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
