import type { PhoneNumberResult } from '#libs/whatsapp';
import type { AccountEntity, StoredHealth } from './account.entity.js';
import type { AccountDto, NumberCheckDto } from './accounts.dto.js';
import type { AccountHealthDto } from './health/health.dto.js';
import { limitsOf } from './limits/account-limits.js';

/** An account as operators see it. */
export function accountView(account: AccountEntity): AccountDto {
  return {
    id: account.id,
    name: account.name,
    phone_number_id: account.phoneNumberId,
    business_account_id: account.businessAccountId,
    display_phone_number: account.displayPhoneNumber,
    active: account.active,
    messages_per_second: account.messagesPerSecond,
    keywords: account.keywords && { out: [...account.keywords.out], in: [...account.keywords.in] },
    keyword_scope: account.keywordScope,
    limits: limitsOf(account),
    hold_kind: account.holdKind,
    hold_code: account.holdCode,
    hold_reason: account.holdReason,
    hold_until: account.holdUntil,
    verified_at: account.verifiedAt,
    quality_event: account.qualityEvent,
    quality_at: account.qualityAt,
    messaging_limit: account.qualityLimit,
    last_webhook_at: account.lastWebhookAt,
    health: healthView(account.health),
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  };
}

function healthView(health: StoredHealth | null): AccountHealthDto | null {
  return (
    health && {
      ...health,
      read_at: new Date(health.read_at),
      token_expires_at: health.token_expires_at === null ? null : new Date(health.token_expires_at),
    }
  );
}

/** The platform's word on a number, or why there is none. */
export function checkView(result: PhoneNumberResult): NumberCheckDto {
  if (!result.ok) {
    const { error } = result;
    return {
      ok: false,
      health: null,
      error: {
        reason: error.reason,
        message: error.error?.message ?? error.message,
        whatsapp_error_code: error.error?.code ?? null,
      },
    };
  }
  const { phoneNumber } = result;
  return {
    ok: true,
    health: {
      display_phone_number: phoneNumber.displayPhoneNumber,
      verified_name: phoneNumber.verifiedName,
      status: phoneNumber.status,
      name_status: phoneNumber.nameStatus,
      quality_rating: phoneNumber.qualityRating,
      throughput_level: phoneNumber.throughputLevel,
      messaging_limit: phoneNumber.messagingLimit,
      can_send_message: phoneNumber.canSendMessage,
      entities: phoneNumber.health.map((entity) => ({
        type: entity.entityType,
        id: entity.id,
        can_send_message: entity.canSendMessage,
        errors: entity.errors.map(({ code, description, possibleSolution }) => ({
          code,
          description,
          solution: possibleSolution,
        })),
      })),
    },
    error: null,
  };
}
