import { setTimeout } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { answerGraph, answerInstead } from './answers.js';
import type { JsonObject } from './checks.js';
import { validateReadReceipt } from './send-validation.js';
import type { SimulatorState } from './state.js';

/**
 * Answers the request that marks a message as read. It is a call like a send: it takes from the
 * number's throughput, and faults of type `read` apply. Throws the `PlatformError` that is a refusal.
 */
export const handleRead = async (
  state: SimulatorState,
  phoneNumberId: string,
  body: JsonObject,
  reply: FastifyReply,
): Promise<void> => {
  const from = state.conversations.senderOf(phoneNumberId, body.message_id);
  const plan = state.rules.planCall('read', phoneNumberId, from ?? '0', Date.now());
  if (plan !== null && plan.delayMs > 0) await setTimeout(plan.delayMs, null, { ref: false });
  const ending = plan?.ending ?? null;
  if (ending === null || ending.accept) {
    const { messageId, isTyping } = validateReadReceipt(body);
    state.reads.mark(phoneNumberId, messageId, isTyping);
  }
  if (ending === null) answerGraph(reply, 200, '{"success":true}');
  else answerInstead(reply, ending.answer);
};
