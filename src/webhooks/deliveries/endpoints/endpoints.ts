import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { raiseAlert } from '../../../alerts/alerts.js';
import { switchWebhookOff } from '../../../api-keys/api-key-records.js';
import { AuditLog } from '../../../audit/audit-log.js';
import { forgetFailures } from '../../../events/event-rows.js';
import { LOGGER } from '../../../logging/logging.module.js';
import { EventSettlement } from '../event-settlement.js';

/** Why an endpoint was switched off. */
export type OffReason = 'gone' | 'failing';

const texts: Record<OffReason, string> = {
  gone: 'It answered 410 Gone.',
  failing: 'It accepted nothing for 120 hours.',
};

/** Switches endpoints off. Only a person switches them on again. */
@Injectable()
export class Endpoints {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly settlement: EventSettlement,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Switches an endpoint off with an alert; what waits for it fails, to be recovered later. */
  async switchOff(apiKeyId: string, reason: OffReason): Promise<void> {
    const isNew = await this.dataSource.transaction(async (manager) => {
      const key = await switchWebhookOff(manager, apiKeyId, reason);
      if (!key) return false;
      await forgetFailures(manager, apiKeyId);
      await raiseAlert(manager, {
        accountId: key.accountId,
        kind: 'webhook_disabled',
        subject: apiKeyId,
        message:
          `The webhook of the API key “${key.name}” is switched off. ${texts[reason]} ` +
          'Once it works again, enable it and recover what it missed.',
        details: { api_key_id: apiKeyId, reason },
      });
      await this.audit.record(
        manager,
        { userId: null, name: 'Parley', address: null },
        {
          action: 'api_key.webhook_disabled',
          accountId: key.accountId,
          subjectId: apiKeyId,
          subjectName: key.name,
          details: { reason },
        },
      );
      return true;
    });
    if (isNew) this.logger.warn({ api_key_id: apiKeyId, reason }, 'a webhook is switched off');
    await this.settlement.giveUpAll(apiKeyId);
  }
}
