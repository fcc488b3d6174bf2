import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountUpdated, ErrorReported, PhoneNumberQualityChanged } from '#libs/whatsapp';
import { storeMessagingLimit, storeQuality } from '../../accounts/number-quality.js';
import { type Alert, raiseAlert, resolveAlert } from '../../alerts/alerts.js';
import type { RoutedEvent } from '../routed-event.js';

/** Account events that need no attention. */
const harmless = new Set([
  'ACCOUNT_RECONNECTED',
  'VERIFIED_ACCOUNT',
  'AD_ACCOUNT_LINKED',
  'VOLUME_BASED_PRICING_TIER_UPDATE',
]);

/** Events of a number's quality after which an alert about it is over. */
const recovered = new Set(['UNFLAGGED', 'UPGRADE', 'THROUGHPUT_UPGRADE', 'ONBOARDING']);

type Notice = Omit<Alert, 'accountId'>;

/** Applies the platform's events about accounts and numbers: stores facts, and alerts people. */
@Injectable()
export class AccountUpdates {
  /** Applies one event; ignores kinds that are not about accounts. */
  async apply(manager: EntityManager, { event, account }: RoutedEvent): Promise<void> {
    if (event.kind === 'account_update') {
      const alert = accountAlert(event);
      if (alert) await raiseAlert(manager, { accountId: account.id, ...alert });
    } else if (event.kind === 'phone_number_quality') {
      await this.noteQuality(manager, account.id, event);
    } else if (event.kind === 'messaging_limit') {
      const { limit, occurredAt } = event;
      await storeMessagingLimit(manager, account.id, { limit, at: occurredAt ?? new Date() });
    } else if (event.kind === 'error') {
      await raiseAlert(manager, { accountId: account.id, ...errorAlert(event) });
    }
  }

  private async noteQuality(
    manager: EntityManager,
    accountId: string,
    event: PhoneNumberQualityChanged,
  ): Promise<void> {
    const limit = event.raw.max_daily_conversations_per_business ?? event.raw.current_limit ?? null;
    const isLatest = await storeQuality(manager, accountId, {
      event: event.event,
      limit: typeof limit === 'string' || typeof limit === 'number' ? String(limit) : null,
      at: event.occurredAt ?? new Date(),
    });
    if (!isLatest || event.event === null) return;
    if (recovered.has(event.event)) {
      await resolveAlert(manager, { accountId, kind: 'number_quality', subject: 'number' });
    } else {
      await raiseAlert(manager, {
        accountId,
        kind: 'number_quality',
        subject: 'number',
        message: `WhatsApp reports on the quality of the number: ${event.event}.`,
        details: event.raw,
      });
    }
  }
}

function accountAlert({ event, raw, occurredAt }: AccountUpdated): Notice | null {
  if (event === null || harmless.has(event) || event.startsWith('PARTNER_')) return null;
  const restrictions = Array.isArray(raw.restriction_info)
    ? raw.restriction_info.flatMap((entry: unknown) => restrictionOf(entry))
    : [];
  const detail = restrictions.length > 0 ? ` (${restrictions.join(', ')})` : '';
  return {
    kind: 'account_notice',
    subject: event,
    message: `WhatsApp reports on the account: ${event}${detail}.`,
    details: { ...raw, reported_at: occurredAt?.toISOString() ?? null },
  };
}

function restrictionOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null || !('restriction_type' in entry)) return [];
  return typeof entry.restriction_type === 'string' ? [entry.restriction_type] : [];
}

function errorAlert({ error }: ErrorReported): Notice {
  return {
    kind: 'platform_error',
    subject: String(error.code),
    message: `WhatsApp reports an error: ${error.details ?? error.message} (${error.code}).`,
    details: { platform_code: error.code, platform_message: error.message },
  };
}
