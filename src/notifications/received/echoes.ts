import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EchoReported } from '#libs/whatsapp';
import { Config } from '../../config/config.js';
import { WebhookEvents } from '../../deliveries/webhook-events.js';
import type { EventHint } from '../../hints/event-hints.js';
import { modesOf, type RoutedEvent } from '../routed-event.js';
import * as sql from './echoes.statements.js';
import { keepFiles, mediaUrl } from './inbound-files.js';
import { echoData, phoneNumberOf } from './received-message.js';

/**
 * Reports what the business itself wrote in the WhatsApp Business app. It opens no window and meets no keyword, and a
 * contact is looked up, never made.
 */
@Injectable()
export class Echoes {
  constructor(
    private readonly config: Config,
    private readonly events: WebhookEvents,
  ) {}

  /** @returns the endpoints that have something to get now. */
  async apply(
    manager: EntityManager,
    echoes: readonly RoutedEvent<EchoReported>[],
  ): Promise<readonly EventHint[]> {
    if (echoes.length === 0) return [];
    const heard = echoes.flatMap((echo) => modesOf(echo.mode).map((mode) => ({ echo, mode })));
    const rows = await sql.findEchoContacts.rows(manager, {
      accountIds: heard.map(({ echo }) => echo.account.id),
      modes: heard.map(({ mode }) => mode),
      phones: heard.map(({ echo }) => phoneNumberOf(echo.event.to)),
      userIds: heard.map(({ echo }) => echo.event.toUserId),
    });
    await keepFiles(
      manager,
      echoes.map((message) => ({ message })),
    );
    return this.events.addForWanting(
      manager,
      'message.echo',
      heard.map(({ echo, mode }, index) => ({
        accountId: echo.account.id,
        mode,
        data: echoData(echo.event, {
          from: echo.account.displayPhoneNumber,
          contactId: rows[index]?.contact_id ?? null,
          mediaUrl: (id) => mediaUrl(this.config, id),
        }),
      })),
    );
  }
}
