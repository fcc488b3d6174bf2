import type { HotStatements } from '../../database/hot-statements.js';
import type { Row } from '../../database/statements/statement.js';
import { type NewMessage, payloadWithId } from '../message.js';
import * as sql from './accept-messages.statements.js';

type Unit = Row<typeof sql.acceptMessages>;

/** Stores messages to send at once. */
export function acceptNow(
  statements: HotStatements,
  messages: readonly NewMessage[],
  processId: string,
): Promise<Unit[]> {
  const input = messages.map(inputOf);
  return messages.some(({ callbackData }) => callbackData)
    ? sql.acceptMessagesWithCallbacks.rows(statements, {
        ...sql.callbackInput.valuesOf(input),
        processId,
      })
    : sql.acceptMessages.rows(statements, { ...sql.messageInput.valuesOf(input), processId });
}

/** Stores messages to send later. */
export function acceptLater(
  statements: HotStatements,
  messages: readonly NewMessage[],
): Promise<Unit[]> {
  const input = messages.map((message) => ({
    ...inputOf(message),
    needsMapping: message.needs?.mapping ?? false,
    needsWindow: message.needs?.window ?? false,
    mediaUntil: message.needs?.mediaUntil ?? null,
  }));
  return sql.acceptScheduledMessages.rows(statements, sql.scheduledInput.valuesOf(input));
}

function inputOf(message: NewMessage) {
  const { idempotency, expires, fallback } = message;
  return {
    ...message,
    payload: JSON.stringify(payloadWithId(message.payload, message.id)),
    giveUpMs: message.giveUpAfterMs,
    route: idempotency?.route ?? null,
    key: idempotency?.key ?? null,
    bodyDigest: idempotency?.bodyDigest ?? null,
    resentFrom: message.resentFrom ?? null,
    dayLimit: message.dailyLimit,
    sentAs: message.sentAs ?? null,
    fallback: fallback ? JSON.stringify(fallback) : null,
    expiresAt: expires && 'at' in expires ? expires.at : null,
    expiresIn: expires && 'inSeconds' in expires ? expires.inSeconds : null,
    callbackData: message.callbackData ?? null,
  };
}
