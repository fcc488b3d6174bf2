import { lines, plainArray, textArray } from '../../database/array-literals.js';
import type { HotStatements } from '../../database/hot-statements.js';
import type { Row } from '../../database/statements/statement.js';
import { type IdempotencyClaim, type NewMessage, payloadWithId } from '../message.js';
import * as sql from './accept-messages.statements.js';

type Unit = Row<typeof sql.acceptMessages>;

/** Stores messages to send at once. */
export function acceptNow(
  statements: HotStatements,
  messages: readonly NewMessage[],
  processId: string,
): Promise<Unit[]> {
  const values = { ...inputValues(messages), processId };
  if (!messages.some(({ callbackData }) => callbackData))
    return sql.acceptMessages.rows(statements, values);
  return sql.acceptMessagesWithCallbacks.rows(statements, {
    ...values,
    callbackData: textArray(messages.map(({ callbackData }) => callbackData ?? null)),
  });
}

/** Stores messages to send later. */
export function acceptLater(
  statements: HotStatements,
  messages: readonly NewMessage[],
): Promise<Unit[]> {
  const column = columnOf(messages);
  return sql.acceptScheduledMessages.rows(statements, {
    ...inputValues(messages),
    sendAt: textArray(column(({ sendAt }) => sendAt)),
    needsMapping: plainArray(column(({ needs }) => needs?.mapping ?? false)),
    needsWindow: plainArray(column(({ needs }) => needs?.window ?? false)),
    mediaUntil: textArray(column(({ needs }) => needs?.mediaUntil?.toISOString() ?? null)),
  });
}

const columnOf =
  (messages: readonly NewMessage[]) =>
  <T>(pick: (message: NewMessage) => T): T[] =>
    messages.map(pick);

function inputValues(messages: readonly NewMessage[]) {
  const column = columnOf(messages);
  const claim = <T>(pick: (idempotency: IdempotencyClaim) => T): (T | null)[] =>
    messages.map(({ idempotency }) => (idempotency ? pick(idempotency) : null));
  return {
    ids: plainArray(column((message) => message.id)),
    accountIds: plainArray(column((message) => message.accountId)),
    apiKeyIds: plainArray(column((message) => message.apiKeyId)),
    modes: plainArray(column((message) => message.mode)),
    types: plainArray(column((message) => message.type)),
    recipients: textArray(column((message) => message.recipient)),
    references: textArray(column((message) => message.reference)),
    payloads: lines(
      column((message) => JSON.stringify(payloadWithId(message.payload, message.id))),
    ),
    waiting: plainArray(column((message) => message.waiting)),
    giveUpMs: plainArray(column((message) => message.giveUpAfterMs)),
    routes: textArray(claim((idempotency) => idempotency.route)),
    keys: textArray(claim((idempotency) => idempotency.key)),
    bodyDigests: textArray(claim((idempotency) => `\\x${idempotency.bodyDigest.toString('hex')}`)),
    resentFrom: plainArray(column((message) => message.resentFrom ?? null)),
    traceparents: textArray(column((message) => message.traceparent)),
    dayLimits: plainArray(column((message) => message.dailyLimit)),
    toUserIds: plainArray(column((message) => message.toUserId)),
    sentAs: plainArray(column((message) => message.sentAs ?? null)),
    fallbacks: lines(column(({ fallback }) => (fallback ? JSON.stringify(fallback) : null))),
    expiresAt: textArray(column(({ expires }) => (expires && 'at' in expires ? expires.at : null))),
    expiresIn: plainArray(
      column(({ expires }) => (expires && 'inSeconds' in expires ? expires.inSeconds : null)),
    ),
  };
}
