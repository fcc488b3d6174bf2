import { digestOf } from './bytes.js';
import { ConnectionError, errorOf, type ParleyError } from './errors.js';
import { signatureHeaders } from './signing.js';
import type { RateLimit } from './types.js';
import { version } from './version.js';

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
  /** The `User-Agent` of every request; default: this client with its version. */
  readonly userAgent?: string;
  /** Called for every answer, refusals included. */
  readonly onAnswer?: (info: AnswerInfo) => void;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1/external`, with its query. */
  readonly path: string;
  readonly body?: object | Encoded;
  readonly idempotencyKey?: string;
  readonly isAsync?: boolean;
  /** How long the server waits by itself. */
  readonly waitMs?: number;
}

/** A body as it goes over the wire. */
export class Encoded {
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

/** Makes requests: signs and repeats them, and reads what is answered. */
export class Transport {
  constructor(private readonly options: ParleyOptions) {}

  /** Tells the caller's `onAnswer` about an answer. */
  tell(response: Response, meta?: Meta): void {
    this.options.onAnswer?.({
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? '',
      rateLimit: meta?.rate_limit ?? null,
      warnings: meta?.warnings ?? [],
      isReplay: response.headers.get('idempotency-replayed') === 'true',
    });
  }

  /** The `data` of the answer. */
  async data<Answer>(call: Call): Promise<Answer> {
    const response = await this.answer(call);
    const { data, meta } = (await response.json()) as { data: Answer; meta: Meta };
    this.tell(response, meta);
    return data;
  }

  /** The successful answer, after as many repetitions as it takes and is allowed. */
  async answer(call: Call): Promise<Response> {
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
      // Workers know no 'error'. A redirect is none of Parley's answers.
      redirect: 'manual',
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
    }).catch((cause: unknown) => {
      if (call.signal?.aborted) throw call.signal.reason;
      throw new ConnectionError('no answer came', call.idempotencyKey ?? null, { cause });
    });
    if (response.ok) return response;
    throw await this.failureOf(response, call);
  }

  private headersOf(call: Call, url: URL, encoded: Encoded | null): Record<string, string> {
    const { apiKey, signingSecret, userAgent = `parley-client/${version}` } = this.options;
    const target = url.pathname + url.search;
    const body = encoded?.bytes ?? '';
    return {
      'X-API-Key': apiKey,
      'User-Agent': userAgent,
      ...(encoded && { 'Content-Type': encoded.contentType }),
      ...(call.idempotencyKey !== undefined && { 'Idempotency-Key': call.idempotencyKey }),
      ...(call.isAsync && { Prefer: 'respond-async' }),
      ...(signingSecret &&
        call.body instanceof Encoded && {
          'X-Content-SHA256': digestOf(body),
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

export function queryOf(filter: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (present.length === 0) return '';
  const query = new URLSearchParams();
  for (const [name, value] of present) query.set(name, String(value));
  return `?${query.toString()}`;
}
