import { hourMs } from '#libs/durations';
import { isObject, type JsonObject } from './checks.js';
import { ControlError } from './control-request.js';
import { injectedError, PlatformError } from './errors.js';
import type { LimiterSettings } from './limiters.js';

/**
 * What a rule can do to a send. Names:
 *
 * - `never-answer`: the request arrives and nothing comes back; not accepted.
 * - `drop`: the connection is reset; not accepted.
 * - `accept-then-drop`: accepted, then the connection ends without an answer.
 * - `bad-gateway`: a 502 with an HTML page; not accepted.
 * - `unreadable`: accepted, answered with 200 and no JSON.
 * - `no-id`: accepted, answered with 200 and JSON without a message id.
 * - `throttle`: the number's own limit, 80 messages a second.
 * - `pair-rate`: the limit of one recipient, 45 at once and then one in 6 s.
 * - `held`: accepted, and answered as held to assess the quality of the template.
 * - `statuses-twice`, `statuses-out-of-order`, `statuses-before-answer`, `no-statuses`,
 *   `bad-signature`: accepted; what the webhooks do then.
 */
export type NamedFault =
  | 'never-answer'
  | 'drop'
  | 'accept-then-drop'
  | 'bad-gateway'
  | 'unreadable'
  | 'no-id'
  | 'throttle'
  | 'pair-rate'
  | 'held'
  | 'statuses-twice'
  | 'statuses-out-of-order'
  | 'statuses-before-answer'
  | 'no-statuses'
  | 'bad-signature';

/** A fault as a rule states it: a name, or one of these objects. */
export type Fault =
  | NamedFault
  /** Refuses with a platform code; `http` and `details` replace the table's. */
  | { code: number; http?: number; details?: string }
  /** Waits, then continues as usual. */
  | { delay_ms: number }
  /** Answers with any status; `accept` says whether the message is accepted all the same. */
  | { status_code: number; body?: unknown; accept?: boolean }
  /** `throttle` with other figures; `burst` defaults to one second's worth. */
  | { messages_per_second: number; burst?: number }
  /** `pair-rate` with other figures. */
  | { pair_refill_seconds: number; burst?: number }
  /** Accepts; the first status is reported this late, the others after it as usual. */
  | { statuses_delay_ms: number }
  /** Accepts, and reports `failed` with the code. */
  | { failed: number }
  /** Reports statuses in notifications of this many (fewer when a second passes without more). */
  | { batch: number }
  /** Knows the number by another form: in the answer to a send, and in its statuses. */
  | { wa_id: string };

/** An answer that takes the place of the platform's own. */
export type Answer =
  | 'silence'
  | 'reset'
  | PlatformError
  | { http: number; contentType: string; body: string };

/** How the webhooks of one message differ from the usual three. */
export interface StatusPlan {
  twice?: boolean;
  outOfOrder?: boolean;
  beforeAnswer?: boolean;
  none?: boolean;
  badSignature?: boolean;
  delayMs?: number;
  failedCode?: number;
  batch?: number;
}

/** What a fault does to a send. */
export interface Effect {
  delayMs?: number;
  limiter?: LimiterSettings;
  held?: boolean;
  /** What the platform calls the recipient's number. */
  waId?: string;
  statuses?: StatusPlan;
  /** Ends the send here; `accept` says whether validation and acceptance come first. */
  ending?: { accept: boolean; answer: Answer };
}

const badGateway: Answer = {
  http: 502,
  contentType: 'text/html; charset=utf-8',
  body: '<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
};

const named: Readonly<Record<NamedFault, Effect>> = {
  'never-answer': { ending: { accept: false, answer: 'silence' } },
  drop: { ending: { accept: false, answer: 'reset' } },
  'accept-then-drop': { ending: { accept: true, answer: 'reset' } },
  'bad-gateway': { ending: { accept: false, answer: badGateway } },
  unreadable: {
    ending: {
      accept: true,
      answer: { http: 200, contentType: 'text/html; charset=utf-8', body: '<html>OK</html>' },
    },
  },
  'no-id': {
    ending: {
      accept: true,
      answer: {
        http: 200,
        contentType: 'application/json; charset=UTF-8',
        body: '{"messaging_product":"whatsapp"}',
      },
    },
  },
  throttle: { limiter: { scope: 'number', tokensPerSecond: 80, capacity: 80 } },
  'pair-rate': { limiter: { scope: 'pair', tokensPerSecond: 1 / 6, capacity: 45 } },
  held: { held: true },
  'statuses-twice': { statuses: { twice: true } },
  'statuses-out-of-order': { statuses: { outOfOrder: true } },
  'statuses-before-answer': { statuses: { beforeAnswer: true } },
  'no-statuses': { statuses: { none: true } },
  'bad-signature': { statuses: { badSignature: true } },
};

const isNamed = (name: string): name is NamedFault => Object.hasOwn(named, name);

const objectForms: ReadonlyArray<{
  key: string;
  also: readonly string[];
  effect: (fault: JsonObject) => Effect;
}> = [
  {
    key: 'code',
    also: ['http', 'details'],
    effect: (fault) => ({
      ending: {
        accept: false,
        answer: injectedError(whole(fault, 'code', 0, 99_999_999), {
          ...(fault.http === undefined ? {} : { http: whole(fault, 'http', 200, 599) }),
          ...(typeof fault.details === 'string' ? { details: fault.details } : {}),
        }),
      },
    }),
  },
  {
    key: 'delay_ms',
    also: [],
    effect: (fault) => ({ delayMs: whole(fault, 'delay_ms', 0, hourMs) }),
  },
  { key: 'status_code', also: ['body', 'accept'], effect: (fault) => statusCode(fault) },
  {
    key: 'messages_per_second',
    also: ['burst'],
    effect: (fault) => {
      const tokensPerSecond = positive(fault, 'messages_per_second');
      const capacity =
        fault.burst === undefined ? Math.max(1, tokensPerSecond) : positive(fault, 'burst');
      return { limiter: { scope: 'number', tokensPerSecond, capacity } };
    },
  },
  {
    key: 'pair_refill_seconds',
    also: ['burst'],
    effect: (fault) => {
      const tokensPerSecond = 1 / positive(fault, 'pair_refill_seconds');
      const capacity = fault.burst === undefined ? 45 : positive(fault, 'burst');
      return { limiter: { scope: 'pair', tokensPerSecond, capacity } };
    },
  },
  {
    key: 'statuses_delay_ms',
    also: [],
    effect: (fault) => ({
      statuses: { delayMs: whole(fault, 'statuses_delay_ms', 0, hourMs) },
    }),
  },
  {
    key: 'failed',
    also: [],
    effect: (fault) => ({ statuses: { failedCode: whole(fault, 'failed', 0, 99_999_999) } }),
  },
  {
    key: 'batch',
    also: [],
    effect: (fault) => ({ statuses: { batch: whole(fault, 'batch', 1, 1000) } }),
  },
  { key: 'wa_id', also: [], effect: ({ wa_id: waId }) => ({ waId: numberOf(waId) }) },
];

/** Reads a fault. Throws `ControlError` that says what would be valid. */
export const readFault = (fault: unknown): Effect => {
  if (typeof fault === 'string') {
    if (!isNamed(fault)) {
      throw new ControlError(`fault "${fault}" is none of ${Object.keys(named).join(', ')}`);
    }
    return named[fault];
  }
  const form = isObject(fault) ? objectForms.find(({ key }) => key in fault) : undefined;
  if (!isObject(fault) || form === undefined) {
    const keys = objectForms.map(({ key }) => key).join(', ');
    throw new ControlError(`fault must be a name or an object with one of ${keys}`);
  }
  for (const key of Object.keys(fault)) {
    if (key !== form.key && !form.also.includes(key)) {
      throw new ControlError(`fault with "${form.key}" does not take "${key}"`);
    }
  }
  return form.effect(fault);
};

const statusCode = (fault: JsonObject): Effect => {
  const http = whole(fault, 'status_code', 200, 599);
  const { body, accept = false } = fault;
  if (typeof accept !== 'boolean') throw new ControlError('accept must be a boolean');
  const answer: Answer =
    body === undefined || typeof body === 'string'
      ? { http, contentType: 'text/plain; charset=utf-8', body: body ?? '' }
      : { http, contentType: 'application/json; charset=UTF-8', body: JSON.stringify(body) };
  return { ending: { accept, answer } };
};

const whole = (fault: JsonObject, key: string, min: number, max: number): number => {
  const value = fault[key];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new ControlError(`${key} must be an integer between ${min} and ${max}`);
  }
  return value;
};

const numberOf = (given: unknown): string => {
  const digits = typeof given === 'string' ? given.replaceAll(/\D/g, '') : '';
  if (!/^\d{5,15}$/.test(digits)) throw new ControlError('wa_id must be a phone number');
  return digits;
};

const positive = (fault: JsonObject, key: string): number => {
  const value = fault[key];
  if (typeof value !== 'number' || !(value > 0)) {
    throw new ControlError(`${key} must be a number above 0`);
  }
  return value;
};

/**
 * The fault that a recipient's number selects, or null. The numbers are of the 555 range, which
 * is never given out: `+1555` `0` code refuses, `+1555` `1` code fails later, the rest is listed here.
 */
export const faultOfNumber = (digits: string): Effect | null => {
  if (digits.length !== 11 || !digits.startsWith('1555')) return null;
  const kind = digits.charAt(4);
  const number = Number(digits.slice(5));
  if (kind === '0') return { ending: { accept: false, answer: injectedError(number) } };
  if (kind === '1') return { statuses: { failedCode: number } };
  return specialNumbers.get(digits) ?? null;
};

const specialNumbers: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['15552000001', named['never-answer']],
  ['15552000002', named['accept-then-drop']],
  ['15552000003', { delayMs: 3000 }],
  ['15552000004', named['bad-gateway']],
  ['15552000005', { statuses: { twice: true, outOfOrder: true } }],
]);
