import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { raiseAlert } from '../../alerts/alerts.js';
import { AuditLog } from '../../audit/audit-log.js';
import { endpointWords } from '../../endpoints/endpoint.entity.js';
import { switchEndpointOff } from '../../endpoints/endpoint-records.js';
import { forgetFailures } from '../../events/endpoint-events.statements.js';
import { LOGGER } from '../../logging/logging.module.js';
import { EventSettlement } from '../event-settlement.js';

/** Why an endpoint was switched off. */
export type OffReason = 'gone' | 'failing';

const texts: Record<OffReason, string> = {
  gone: 'It answered 410 Gone.',
  failing: 'It accepted nothing for 120 hours.',
};

/** Switches endpoints off. Only a person switches them on again. */
@Injectable()
export class EndpointSwitch {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly settlement: EventSettlement,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Switches an endpoint off with an alert; what waits for it fails, to be recovered later.
   * @param url the address that is why: one that somebody has changed meanwhile stays on.
   */
  async switchOff(endpointId: string, url: string, reason: OffReason): Promise<void> {
    const isNew = await this.dataSource.transaction(async (manager) => {
      const off = await switchEndpointOff(manager, { id: endpointId, url, reason });
      if (!off) return false;
      const { accountId, apiKeyId, name, keyName } = off;
      await forgetFailures.run(manager, { endpointId });
      await raiseAlert(manager, {
        accountId,
        kind: 'webhook_disabled',
        subject: endpointId,
        message:
          `${endpointWords(name, keyName)} is switched off. ${texts[reason]} ` +
          'Once it works again, enable it and recover what it missed.',
        details: { api_key_id: apiKeyId, endpoint_id: endpointId, reason },
      });
      await this.audit.record(
        manager,
        { userId: null, name: 'Parley', address: null },
        {
          action: 'api_key.webhook_disabled',
          accountId,
          subjectId: apiKeyId,
          subjectName: keyName,
          details: { endpoint_id: endpointId, reason },
        },
      );
      return true;
    });
    if (isNew) this.logger.warn({ endpoint_id: endpointId, reason }, 'an endpoint is switched off');
    await this.settlement.giveUpAll(endpointId);
  }
}
