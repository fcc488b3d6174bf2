import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type PhoneNumberResult,
  type Sender,
  type SendResult,
  WhatsAppClient,
} from '#libs/whatsapp';
import type { Mode } from '../access/mode.js';
import { Config } from '../config/config.js';
import { SecretBox } from '../secrets/secret-box.js';

interface KnownSender {
  readonly sender: Sender;
  readonly version: number;
}

/** The platform as the worker sees it: the right address and credentials for each message. */
@Injectable()
export class PlatformGateway implements OnApplicationShutdown {
  private readonly clients: Record<Mode, WhatsAppClient | null>;
  private readonly senders = new Map<string, KnownSender>();

  constructor(
    config: Config,
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {
    const connections = config.maxInFlight;
    this.clients = {
      live: new WhatsAppClient({ baseUrl: config.platformBaseUrl, connections }),
      test: config.simulatorBaseUrl
        ? new WhatsAppClient({ baseUrl: config.simulatorBaseUrl, connections })
        : null,
    };
  }

  /**
   * Sends a stored payload for an account.
   * @param version the account's version as of the claim: older credentials are read again.
   * @throws SecretUnreadableError, or the store's error; nothing was sent then.
   */
  async send(
    message: { mode: Mode; accountId: string; accountVersion: number; payload: string },
    signal: AbortSignal,
  ): Promise<SendResult> {
    const sender = await this.senderOf(message.accountId, message.accountVersion);
    const client = this.clients[message.mode];
    if (!client) {
      return {
        outcome: 'not_written',
        reason: 'connect_failed',
        detail: 'SIMULATOR_URL is not set',
        durationMs: 0,
      };
    }
    return client.send(sender, message.payload, { signal });
  }

  /** Asks the platform how the number of an account is. */
  async checkNumber(accountId: string): Promise<PhoneNumberResult> {
    const sender = await this.senderOf(accountId, Number.POSITIVE_INFINITY);
    const client = this.clients.live;
    if (!client) throw new Error('there is no client for live messages');
    return client.getPhoneNumber(sender);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.clients.live?.destroy(), this.clients.test?.destroy()]);
  }

  private async senderOf(accountId: string, version: number): Promise<Sender> {
    const known = this.senders.get(accountId);
    if (known && known.version >= version) return known.sender;
    const [row]: { phone_number_id: string; access_token: string; version: string }[] =
      await this.dataSource.query(
        'select phone_number_id, access_token, version from accounts where id = $1',
        [accountId],
      );
    if (!row) throw new Error(`account ${accountId} is gone`);
    const sender: Sender = {
      phoneNumberId: row.phone_number_id,
      accessToken: this.secrets.open(row.access_token, `accounts.access_token.${accountId}`),
    };
    this.senders.set(accountId, { sender, version: Number(row.version) });
    return sender;
  }
}
