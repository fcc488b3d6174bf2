import type { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, request } from 'undici';
import { Config } from '../../config/config.js';
import { storableText } from '../../database/storable-text.js';
import { guardedConnector } from './address-guard.js';
import { parseRetryAfter } from './retry-schedule.js';

/** Everything together, from the first look-up to the last byte of the answer. */
const totalTimeoutMs = 15_000;
const connectTimeoutMs = 5_000;

/** How much of an answer is read, so that a receiver cannot make us read for ever. */
const responseMaxBytes = 16 * 1024;

/** How much of it is kept for the log. */
const keptBytes = 1_024;

/** Receivers' load balancers commonly close idle sockets after five seconds. */
const idleSocketMs = 4_000;

/** What came of one attempt. */
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
      // An event behind one that hangs would share its fate.
      pipelining: 1,
      keepAliveTimeout: idleSocketMs,
      keepAliveMaxTimeout: idleSocketMs,
      headersTimeout: totalTimeoutMs,
      bodyTimeout: totalTimeoutMs,
    });
  }

  /** Makes one attempt. Never rejects. */
  async post(url: string, headers: Record<string, string>, body: string): Promise<AttemptAnswer> {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(totalTimeoutMs);
    const answer = await request(url, {
      dispatcher: this.agent,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'parley' },
      body,
      signal,
    })
      .then(async (response) => ({
        statusCode: response.statusCode,
        response: await readStart(response.body),
        error: null,
        retryAfterSeconds: parseRetryAfter(response.headers['retry-after']),
      }))
      .catch((error: unknown) => ({
        statusCode: null,
        response: null,
        error: classOf(error),
        retryAfterSeconds: null,
      }));
    return { ...answer, durationMs: Math.round(performance.now() - startedAt) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }
}

/** The status has decided already, so whatever happens to the rest of an answer changes nothing. */
async function readStart(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= responseMaxBytes) break;
    }
  } catch {
    // The start is what counts.
  }
  const start = Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8');
  return storableText(start);
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
