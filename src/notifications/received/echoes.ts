import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EchoReported } from '#libs/whatsapp';
import { Config } from '../../config/config.js';
import { contactOf } from '../../contacts/contact-of-message.js';
import { WebhookEvents } from '../../deliveries/webhook-events.js';
import type { EventHint } from '../../hints/event-hints.js';
import { modesOf, type RoutedEvent } from '../routed-event.js';
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
    const rows: { contact_id: string | null }[] = await manager.query(
      `select ${contactOf('t')} as contact_id
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
         with ordinality as t (account_id, mode, recipient, to_user_id, position)
       order by t.position`,
      [
        heard.map(({ echo }) => echo.account.id),
        heard.map(({ mode }) => mode),
        heard.map(({ echo }) => phoneNumberOf(echo.event.to)),
        heard.map(({ echo }) => echo.event.toUserId),
      ],
    );
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
