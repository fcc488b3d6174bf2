import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FeedEvent } from '../../typescript/src/index.js';
import { reasonOf, UsageError } from './failures.js';

const secretPrefix = 'whsec_';
/** As long as Parley waits for a webhook. */
const timeoutMs = 15_000;
/** Before the second attempt, the third, and so on. */
const pausesMs = [500, 1_000, 2_000];

/** What came of posting an event. */
export interface Forwarded {
  /** Of the last attempt; null if no answer came. */
  readonly status: number | null;
  readonly attempts: number;
  /** Why no attempt succeeded; null if one did. */
  readonly error: string | null;
}

interface Forwarding {
  readonly url: string;
  readonly secret: string;
  readonly signal: AbortSignal;
  /** Called before each pause. */
  readonly onRetry: (reason: string) => void;
}

export function newSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64');
}

/** @throws UsageError; its text does not name the secret. */
export function checkSecret(secret: string): void {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) {
    throw new UsageError('a webhook secret is whsec_ and base64. Copy it again.');
  }
}

/** Posts an event as Parley posts it to a webhook; what fails is repeated a few times. */
export async function forward(event: FeedEvent, to: Forwarding): Promise<Forwarded> {
  const { id, ...rest } = event;
  const body = JSON.stringify(rest);
  for (let attempts = 1; ; attempts += 1) {
    const { status, error } = await attempt(id, body, to);
    const pauseMs = pausesMs[attempts - 1];
    if (error === null || pauseMs === undefined) return { status, attempts, error };
    to.onRetry(error);
    await pause(pauseMs, undefined, { signal: to.signal });
  }
}

async function attempt(
  id: string,
  body: string,
  { url, secret, signal }: Forwarding,
): Promise<Omit<Forwarded, 'attempts'>> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signatureHeaders(id, body, secret) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    const { status, ok } = response;
    return { status, error: ok ? null : `answered ${status}` };
  } catch (error) {
    signal.throwIfAborted();
    return { status: null, error: reasonOf(error) };
  }
}

/** The headers of Standard Webhooks. */
function signatureHeaders(id: string, body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac}`,
  };
}
