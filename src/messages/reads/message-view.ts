import type { MessageFailure, SentAs } from '../message.js';
import type {
  MessageDto,
  MessageErrorDto,
  PricingDto,
  StatusChangeDto,
} from '../message-answers.dto.js';
import type { TimelineRecord } from '../rows/message-history.js';
import type { MessageRecord } from './message-reads.js';

/** A message as callers see it. Times are ISO 8601 in UTC with milliseconds. */
export function messageView(record: MessageRecord) {
  return {
    message_id: record.id,
    type: record.type,
    status: record.status,
    to: record.recipient,
    to_user_id: record.toUserId,
    contact_id: record.contactId,
    reference: record.reference,
    campaign_id: record.campaignId,
    ...sentAsOf(record),
    ...(record.fallbackFor && { fallback_for: record.fallbackFor }),
    platform_message_id: record.platformMessageId,
    // A later status shows that the platform has released it, or dropped it with 132015.
    held: record.held && record.status === 'sent',
    pricing: record.pricing && pricingView(record.pricing),
    error: record.failure && failureView(record.failure),
    created_at: record.createdAt,
    send_at: record.sendAt,
    expires_at: record.expiresAt,
    sent_at: record.sentAt,
    delivered_at: record.deliveredAt,
    read_at: record.readAt,
    failed_at: record.failedAt,
  } satisfies MessageDto;
}

function pricingView(pricing: Readonly<Record<string, unknown>>): PricingDto {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    billable: typeof pricing.billable === 'boolean' ? pricing.billable : null,
    category: text(pricing.category),
    type: text(pricing.type),
    model: text(pricing.pricing_model),
  };
}

/** Every status that the message has had, oldest first, each with who noticed it. */
export function timelineView(
  record: MessageRecord,
  changes: readonly TimelineRecord[],
): StatusChangeDto[] {
  const { createdAt, sendAt, queuedAt } = record;
  return [
    { status: sendAt ? 'scheduled' : 'queued', at: createdAt, source: 'api' },
    ...(queuedAt ? [{ status: 'queued' as const, at: queuedAt, source: 'worker' as const }] : []),
    ...changes.map(({ status, at, source }) => ({ status, at, source })),
  ];
}

/** Which of a message and its fallback it is, as callers see it; nothing where the request had no fallback. */
export function sentAsOf({ sentAs }: { sentAs?: SentAs | null }): { sent_as?: SentAs } {
  return sentAs ? { sent_as: sentAs } : {};
}

/** Why a message failed, as callers see it. */
export function failureView(failure: MessageFailure): MessageErrorDto {
  return {
    code: failure.code,
    message: failure.message,
    retryable: failure.retryable,
    ...(failure.platformCode === null
      ? { reason: failure.reason }
      : {
          whatsapp_error_code: failure.platformCode,
          whatsapp_error_message: failure.platformMessage,
        }),
    ...fallbackView(failure),
  };
}

/** What became of the fallback of a message that failed, as callers see it; nothing where there was none. */
export function fallbackView(failure: MessageFailure | null) {
  const { fallbackMessageId, fallbackReason } = failure ?? {};
  return {
    ...(fallbackMessageId && { fallback_message_id: fallbackMessageId }),
    ...(fallbackReason && { fallback_reason: fallbackReason }),
  };
}
