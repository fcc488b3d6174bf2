import type { Dispatcher } from 'undici';

/** Why nothing can have reached the platform. */
export type NotWrittenReason =
  | 'dns'
  | 'connect_refused'
  | 'connect_timeout'
  | 'tls'
  | 'connect_failed';

/** How an exchange ended after its first byte may have left. */
export type BrokenReason = 'timeout' | 'reset' | 'unreadable' | 'aborted';

/** The response's headers, lower-case names. */
export type Headers = Record<string, string | string[] | undefined>;

/** The end of one HTTP exchange. `text` is the body as far as it arrived. */
export type ExchangeResult =
  | { kind: 'answered'; httpStatus: number; headers: Headers; text: string }
  | { kind: 'not_written'; reason: NotWrittenReason; detail: string }
  | {
      kind: 'broken';
      reason: BrokenReason;
      detail: string;
      httpStatus: number | null;
      headers: Headers;
      text: string;
    };

/** Bounds of one exchange. */
export interface ExchangeLimits {
  /** From hand-over to the first byte: waiting for a free connection, DNS, TCP and TLS together. */
  connectTimeoutMs: number;
  /** From the first byte written to the last byte read. */
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/**
 * One request on a pool and what came of it. Never rejects.
 *
 * undici calls `onRequestStart` when the request has a connected socket, in the same tick and right before it writes
 * (`lib/dispatcher/client-h1.js`, `writeH1`). That call is the border: an exchange that ends before it has provably written
 * nothing, one that ends after it may have written everything. An exchange given up before the border throws inside the
 * call, which makes undici drop the request without a byte; so does a second call for the same request, which would
 * be a silent repetition.
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    new Exchange(limits, resolve).start(dispatcher, options);
  });
}

/** The exchanges that a signal ends. A listener for each of them would cost as much as the rest of it. */
const aborted = new WeakMap<AbortSignal, Set<() => void>>();

function abortedBy(signal: AbortSignal): Set<() => void> {
  const known = aborted.get(signal);
  if (known) return known;
  const aborts = new Set<() => void>();
  aborted.set(signal, aborts);
  signal.addEventListener('abort', () => {
    for (const abort of aborts) abort();
  });
  return aborts;
}

class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private settled = false;
  private timer: NodeJS.Timeout | null = null;
  private httpStatus: number | null = null;
  private headers: Headers = {};
  private chunks: Buffer[] = [];
  private bytes = 0;
  private readonly limits: ExchangeLimits;
  private readonly resolve: (result: ExchangeResult) => void;

  constructor(limits: ExchangeLimits, resolve: (result: ExchangeResult) => void) {
    this.limits = limits;
    this.resolve = resolve;
  }

  start(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): void {
    const { signal, connectTimeoutMs } = this.limits;
    if (signal?.aborted) {
      this.abort();
      return;
    }
    if (signal) abortedBy(signal).add(this.abort);
    dispatcher.dispatch(options, this);
    if (!this.controller && !this.settled) {
      this.timer = setTimeout(this.expire, connectTimeoutMs);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled) {
      throw new Error('given up before the write');
    }
    if (this.controller) {
      throw new Error('a request is never written twice');
    }
    this.controller = controller;
    if (this.timer) {
      clearTimeout(this.timer);
    }
    this.timer = setTimeout(this.expire, this.limits.timeoutMs);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    httpStatus: number,
    headers: Headers,
  ): void {
    if (httpStatus >= 200) {
      this.httpStatus = httpStatus;
      this.headers = headers;
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) {
      return;
    }
    this.bytes += chunk.length;
    if (this.bytes > this.limits.maxBytes) {
      this.break('unreadable', `the response exceeds ${this.limits.maxBytes} bytes`);
      return;
    }
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    const httpStatus = this.httpStatus;
    if (httpStatus === null) {
      this.break('unreadable', 'the response has no status');
      return;
    }
    this.settle({ kind: 'answered', httpStatus, headers: this.headers, text: this.text() });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.controller) {
      this.break(brokenReason(error), describe(error));
    } else {
      this.settle({
        kind: 'not_written',
        reason: notWrittenReason(error),
        detail: describe(error),
      });
    }
  }

  private readonly expire = (): void => {
    const { timeoutMs, connectTimeoutMs } = this.limits;
    if (this.controller) {
      // A process that was held up finds timers due before it has read what arrived meanwhile: the answer may be there.
      setImmediate(() =>
        this.break('timeout', `no complete response within ${timeoutMs} ms of the write`),
      );
    } else {
      const detail = `no connection within ${connectTimeoutMs} ms`;
      this.settle({ kind: 'not_written', reason: 'connect_timeout', detail });
    }
  };

  private readonly abort = (): void => {
    if (this.controller) {
      this.break('aborted', 'aborted after the write');
    } else {
      const detail = 'aborted before the write';
      this.settle({ kind: 'not_written', reason: 'connect_failed', detail });
    }
  };

  private break(reason: BrokenReason, detail: string): void {
    if (this.settled) {
      return;
    }
    this.settle({
      kind: 'broken',
      reason,
      detail,
      httpStatus: this.httpStatus,
      headers: this.headers,
      text: this.text(),
    });
    this.controller?.abort(new Error(detail));
  }

  private settle(result: ExchangeResult): void {
    if (this.settled) {
      return;
    }
    this.settled = true;
    if (this.timer) {
      clearTimeout(this.timer);
    }
    if (this.limits.signal) abortedBy(this.limits.signal).delete(this.abort);
    this.chunks = [];
    this.resolve(result);
  }

  private text(): string {
    const [first] = this.chunks;
    if (!first) {
      return '';
    }
    return (this.chunks.length === 1 ? first : Buffer.concat(this.chunks)).toString('utf8');
  }
}

function codeOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : '';
}

function describe(error: Error): string {
  const code = codeOf(error);
  // A failed attempt on several addresses is an AggregateError with an empty message.
  return [code, error.message].filter(Boolean).join(': ') || error.name;
}

const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

function notWrittenReason(error: Error): NotWrittenReason {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) {
    return 'dns';
  }
  if (code === 'ECONNREFUSED') {
    return 'connect_refused';
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return 'connect_timeout';
  }
  // Node reports a peer that hangs up during the handshake as a plain reset; only its message shows it.
  if (tlsCodes.test(code) || error.message.includes('before secure TLS connection')) {
    return 'tls';
  }
  return 'connect_failed';
}

function brokenReason(error: Error): BrokenReason {
  const code = codeOf(error);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_ABORTED') {
    return 'aborted';
  }
  // undici 7 sets no code on what its parser rejects.
  return error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW'
    ? 'unreadable'
    : 'reset';
}
