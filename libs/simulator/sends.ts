import { setTimeout } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerGraph, answerInstead, graphHeaders } from './answers.js';
import { isObject, type JsonObject } from './checks.js';
import {
  authorizationError,
  injectedError,
  invalidParameter,
  PlatformError,
  unknownObject,
} from './errors.js';
import type { Answer, StatusPlan } from './faults.js';
import type { LedgerEntry } from './ledger.js';
import { checkMediaIds } from './media-references.js';
import { waIdOf } from './number-forms.js';
import { handleRead } from './read-receipts.js';
import type { SendPlan } from './rules.js';
import { isReadReceipt, type ValidSend, validateSend } from './send-validation.js';
import type { SimulatorState } from './state.js';
import { matchTemplate } from './template-match.js';
import { templateKey } from './templates.js';
import type { User } from './users.js';
import { windowClosedCode } from './windows.js';

/** The code of marketing that its recipient has stopped; the platform reports it by webhook. */
const stoppedMarketingCode = 131050;

/** What Fastify knows of a request for the send endpoint. */
export interface SendRequest {
  Params: { phoneNumberId: string };
  Body?: string;
}

/**
 * Answers `POST /{phone-number-id}/messages`: who is calling comes first, then the faults that were
 * asked for, then the body, then acceptance. Throws the `PlatformError` that is a refusal.
 */
export const handleSend = async (
  state: SimulatorState,
  { params: { phoneNumberId }, headers, body: raw = '' }: FastifyRequest<SendRequest>,
  reply: FastifyReply,
): Promise<void> => {
  const body = parse(raw);
  const denied =
    authorizationError(headers.authorization) ??
    (/^\d+$/.test(phoneNumberId) ? null : unknownObject('post', phoneNumberId));
  if (isReadReceipt(body)) {
    if (denied !== null) throw denied;
    await handleRead(state, phoneNumberId, body, reply);
    return;
  }
  const atMs = Date.now();
  const fields = isObject(body) ? body : {};
  const to = textOrNull(fields.to) ?? textOrNull(fields.recipient);
  const digits = conversationOf(state, textOrNull(fields.to), to);
  const type = textOrNull(fields.type) ?? 'text';
  const entry = state.ledger.arrive({
    atMs,
    phoneNumberId,
    to,
    digits,
    type,
    callback: textOrNull(fields.biz_opaque_callback_data),
    raw,
  });
  if (denied !== null) throw refusal(state, entry, denied);
  const plan = state.rules.plan(phoneNumberId, digits, type, atMs);
  // Goes on even when the caller has left: the request had been read.
  if (plan !== null && plan.delayMs > 0) await setTimeout(plan.delayMs, null, { ref: false });
  await carryOut(state, entry, body, plan, reply);
};

const carryOut = async (
  state: SimulatorState,
  entry: LedgerEntry,
  body: unknown,
  plan: SendPlan | null,
  reply: FastifyReply,
): Promise<void> => {
  const ending = plan?.ending ?? null;
  if (ending !== null && !ending.accept) {
    settleUnaccepted(state, entry, ending.answer);
    give(entry, ending.answer, reply);
    return;
  }
  if (!state.numbers.get(entry.phoneNumberId).registered) {
    throw refusal(state, entry, injectedError(133010));
  }
  const { send, category } = validated(state, entry, body);
  const inWindow = throughWindow(state, entry, send, plan);
  const user = send.addressing === 'user-id' ? state.users.byUserId(send.input) : null;
  const waId = plan?.waId ?? waIdOf(entry.digits);
  const wants = category !== 'marketing' || wantsMarketing(state, entry, user);
  const statusPlan = wants ? inWindow : { failedCode: stoppedMarketingCode, ...inWindow };
  const wamid = state.ledger.accept(entry);
  state.reads.endTyping(entry.phoneNumberId, entry.digits);
  const statuses = send.isLost || send.addressing === 'group' ? null : state.statuses;
  const first = statuses?.start(entry, wamid, { user, waId, category }, statusPlan) ?? null;
  if (first !== null) await first;
  if (ending !== null) {
    give(entry, ending.answer, reply);
    return;
  }
  entry.answered = 200;
  const account = state.numbers.get(entry.phoneNumberId).business_account_id;
  const headers = graphHeaders();
  headers['x-business-use-case-usage'] =
    `{"${account}":[{"type":"whatsapp","call_count":1,"total_cputime":1,"total_time":1,"estimated_time_to_regain_access":0}]}`;
  answerGraph(reply, 200, acceptance(send, waId, wamid, plan?.held ?? false), headers);
};

/** What is reported on a send when the 24-hour window has had its say; throws its refusal. */
const throughWindow = (
  state: SimulatorState,
  entry: LedgerEntry,
  send: ValidSend,
  plan: SendPlan | null,
): StatusPlan | null => {
  const { phoneNumberId, digits } = entry;
  const effect = state.windows.effectOn({ send, phoneNumberId, digits, plan });
  if (effect === 'answer') throw refusal(state, entry, injectedError(windowClosedCode));
  const statuses = plan?.statuses ?? null;
  return effect === 'off' ? statuses : { ...statuses, failedCode: windowClosedCode };
};

const wantsMarketing = (
  state: SimulatorState,
  { phoneNumberId, digits }: LedgerEntry,
  user: User | null,
): boolean => {
  const { stopped_marketing: stopped } = user ?? state.users.byPhone(digits);
  return !stopped.includes(phoneNumberId);
};

/** A send that the platform takes, and what it bills it as; throws the refusal of another. */
const validated = (
  state: SimulatorState,
  entry: LedgerEntry,
  body: unknown,
): { send: ValidSend; category: string } => {
  try {
    if (body === undefined) throw invalidParameter('The parameter messaging_product is required.');
    const send = validateSend(body, state.strictness);
    const number = state.numbers.get(entry.phoneNumberId);
    if (entry.digits === number.display_phone_number) throw new PlatformError(131021);
    const isTemplate = send.type === 'template' && isObject(body) && isObject(body.template);
    const category = isTemplate
      ? templateCategory(state, number.business_account_id, body.template as JsonObject, send)
      : 'service';
    if (isObject(body)) checkMediaIds(body, send.type, state.media);
    return { send, category };
  } catch (error) {
    throw error instanceof PlatformError ? refusal(state, entry, error) : error;
  }
};

const templateCategory = (
  state: SimulatorState,
  accountId: string,
  sent: JsonObject,
  send: ValidSend,
): string => {
  const [name, language] = templateKey(sent);
  const found = state.templates.find(accountId, name, language);
  const { category } = matchTemplate(sent, found, name, language);
  // One-time codes are bound to a phone number.
  if (category === 'AUTHENTICATION' && send.addressing === 'user-id') {
    throw new PlatformError(131062);
  }
  return category.toLowerCase();
};

// Written by hand: it is the one answer that counts in a measurement of throughput.
const acceptance = (
  { input, addressing, type }: ValidSend,
  waId: string,
  wamid: string,
  isHeld: boolean,
) => {
  const quoted = JSON.stringify(input);
  const address =
    addressing === 'phone'
      ? `,"wa_id":"${waId}"`
      : addressing === 'user-id'
        ? `,"user_id":${quoted}`
        : '';
  // Only templates are held back for quality, so only they say that they were not.
  const status = isHeld
    ? ',"message_status":"held_for_quality_assessment"'
    : type === 'template'
      ? ',"message_status":"accepted"'
      : '';
  return `{"messaging_product":"whatsapp","contacts":[{"input":${quoted}${address}}],"messages":[{"id":"${wamid}"${status}}]}`;
};

/** Notes a refusal, which is then thrown. */
const refusal = (
  state: SimulatorState,
  entry: LedgerEntry,
  error: PlatformError,
): PlatformError => {
  state.ledger.settle(entry, 'refused', error.code);
  entry.answered = error.http;
  return error;
};

const settleUnaccepted = (state: SimulatorState, entry: LedgerEntry, answer: Answer): void => {
  if (answer instanceof PlatformError) throw refusal(state, entry, answer);
  const outcome = answer === 'silence' ? 'unanswered' : answer === 'reset' ? 'dropped' : 'failed';
  state.ledger.settle(entry, outcome);
};

const give = (entry: LedgerEntry, answer: Answer, reply: FastifyReply): void => {
  if (typeof answer !== 'string') entry.answered = answer.http;
  answerInstead(reply, answer);
};

const parse = (raw: string): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    // The platform sees a request without parameters, and so will validation.
    return undefined;
  }
};

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Whose conversation a message belongs to: that of the number, also when the message names its user's id. */
const conversationOf = (state: SimulatorState, to: string | null, address: string | null): string =>
  (to === null && address !== null ? state.users.byUserId(address).phone : null) ??
  digitsOf(address);

/** The digits of a recipient as the platform reads them; at most 15, as numbers have. */
const digitsOf = (to: string | null): string => {
  if (to === null) return '0';
  return to.replaceAll(/\D/g, '').slice(0, 15) || '0';
};
