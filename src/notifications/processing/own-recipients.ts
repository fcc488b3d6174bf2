import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { StatusChanged } from '#libs/whatsapp';
import { phoneOf } from '../../contacts/contact.js';
import { ToldForms } from '../../contacts/forms/told-forms.js';
import { isStoreUnavailable } from '../../database/store-errors.js';
import { LOGGER } from '../../logging/logging.module.js';
import { type NamedReport, StatusReports } from '../../messages/rows/status-reports.js';
import type { RoutedEvent } from '../routed-event.js';

type Status = RoutedEvent<StatusChanged>;

/** Names recipients as we do: WhatsApp may call the number that we wrote to by another form. */
@Injectable()
export class OwnRecipients {
  constructor(
    private readonly reports: StatusReports,
    private readonly forms: ToldForms,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The failures among statuses, each with the number that its message was sent to. What WhatsApp calls it is learnt
   * before, so that both numbers are one contact when the refusal counts.
   * @param reports what each status says of a message of ours; null where it says nothing of one.
   * @throws the store's error when it cannot be reached.
   */
  async ofFailures(
    statuses: readonly { status: Status; report: NamedReport | null }[],
  ): Promise<Status[]> {
    const failures = statuses.filter(({ status }) => status.event.errors.length > 0);
    const reports = failures.flatMap(({ report }) => report ?? []);
    const recipients = await this.reports.recipientsOf(reports);
    return Promise.all(
      failures.map(async ({ status, report }) => {
        const to = recipients.get(report?.messageId ?? '');
        if (!to || status.event.participantId !== null) return status;
        const form = phoneOf(status.event.recipientId);
        const { id: accountId } = status.account;
        if (form) await this.learn({ accountId, mode: to.mode, phone: to.recipient, form });
        return { ...status, event: { ...status.event, recipientId: to.recipient } };
      }),
    );
  }

  private async learn(told: Parameters<ToldForms['hear']>[0]): Promise<void> {
    try {
      await this.forms.hear(told);
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      this.logger.error({ err: error }, 'could not learn what WhatsApp calls a number');
    }
  }
}
