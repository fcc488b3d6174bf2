import type { ServerResponse } from 'node:http';
import { answerContent, answerError, answerGraph, guard, nextTraceId } from './answers.js';
import { isObject, type JsonObject } from './checks.js';
import { authorizationError, invalidParameter, PlatformError, unknownObject } from './errors.js';
import type { Answer } from './faults.js';
import type { LedgerEntry } from './ledger.js';
import type { SendPlan } from './rules.js';
import {
  isReadReceipt,
  type ValidSend,
  validateReadReceipt,
  validateSend,
} from './send-validation.js';
import type { SimulatorState } from './state.js';
import { matchTemplate } from './template-match.js';
import { templateKey } from './templates.js';

/** A request for the send endpoint, read to its end. */
export interface SendRequest {
  phoneNumberId: string;
  authorization: string | undefined;
  raw: string;
}

/**
 * Answers `POST /{phone-number-id}/messages`: who is calling comes first, then the faults that were
 * asked for, then the body, then acceptance.
 */
export const handleSend = (
  state: SimulatorState,
  request: SendRequest,
  response: ServerResponse,
): void => {
  const { phoneNumberId, raw } = request;
  const body = parse(raw);
  const denied =
    authorizationError(request.authorization) ??
    (/^\d+$/.test(phoneNumberId) ? null : unknownObject('post', phoneNumberId));
  if (denied === null && isReadReceipt(body)) {
    answerReadReceipt(body, response);
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
  if (denied !== null) {
    refuse(state, entry, denied, response);
    return;
  }
  const plan = state.rules.plan(phoneNumberId, digits, type, atMs);
  if (plan === null || plan.delayMs === 0) {
    carryOut(state, entry, body, plan, response);
    return;
  }
  // Goes on even when the caller has left: the request had been read.
  setTimeout(() => {
    guard(response, state.log, () => carryOut(state, entry, body, plan, response));
  }, plan.delayMs).unref();
};

const carryOut = (
  state: SimulatorState,
  entry: LedgerEntry,
  body: unknown,
  plan: SendPlan | null,
  response: ServerResponse,
): void => {
  const ending = plan?.ending ?? null;
  if (ending !== null && !ending.accept) {
    endWithoutAcceptance(state, entry, ending.answer, response);
    return;
  }
  let send: ValidSend;
  let category = 'service';
  try {
    if (body === undefined) throw invalidParameter('The parameter messaging_product is required.');
    send = validateSend(body, state.strictness);
    const number = state.numbers.get(entry.phoneNumberId);
    if (entry.digits === number.display_phone_number) throw new PlatformError(131021);
    if (send.type === 'template' && isObject(body) && isObject(body.template)) {
      category = templateCategory(state, number.business_account_id, body.template, send);
    }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    refuse(state, entry, error, response);
    return;
  }
  const wamid = state.ledger.accept(entry);
  const answer = (): void => {
    if (ending === null) answerAccepted(state, entry, send, wamid, plan?.held ?? false, response);
    else give(entry, ending.answer, response);
  };
  const statuses = send.isLost || send.addressing === 'group' ? null : state.statuses;
  const user = send.addressing === 'user-id' ? state.users.byUserId(send.input) : null;
  const first = statuses?.start(entry, wamid, user, category, plan?.statuses ?? null) ?? null;
  if (first === null) answer();
  else void first.then(answer);
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

const answerAccepted = (
  state: SimulatorState,
  entry: LedgerEntry,
  send: ValidSend,
  wamid: string,
  isHeld: boolean,
  response: ServerResponse,
): void => {
  entry.answered = 200;
  const account = state.numbers.get(entry.phoneNumberId).business_account_id;
  answerGraph(response, 200, acceptance(send, entry.digits, wamid, isHeld), nextTraceId(), account);
};

// Written by hand: it is the one answer that counts in a measurement of throughput.
const acceptance = (
  { input, addressing, type }: ValidSend,
  digits: string,
  wamid: string,
  isHeld: boolean,
) => {
  const quoted = JSON.stringify(input);
  const address =
    addressing === 'phone'
      ? `,"wa_id":"${digits}"`
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

const answerReadReceipt = (body: Record<string, unknown>, response: ServerResponse): void => {
  try {
    validateReadReceipt(body);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    answerError(response, error);
    return;
  }
  answerGraph(response, 200, '{"success":true}', nextTraceId());
};

const refuse = (
  state: SimulatorState,
  entry: LedgerEntry,
  error: PlatformError,
  response: ServerResponse,
): void => {
  state.ledger.settle(entry, 'refused', error.code);
  give(entry, error, response);
};

const endWithoutAcceptance = (
  state: SimulatorState,
  entry: LedgerEntry,
  answer: Answer,
  response: ServerResponse,
): void => {
  if (answer instanceof PlatformError) {
    refuse(state, entry, answer, response);
    return;
  }
  const outcome = answer === 'silence' ? 'unanswered' : answer === 'reset' ? 'dropped' : 'failed';
  state.ledger.settle(entry, outcome);
  give(entry, answer, response);
};

const give = (entry: LedgerEntry, answer: Answer, response: ServerResponse): void => {
  if (answer === 'silence') return;
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  entry.answered = answer.http;
  if (answer instanceof PlatformError) answerError(response, answer);
  else answerContent(response, answer.http, answer.contentType, answer.body);
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
