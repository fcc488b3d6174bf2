import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { WhatsAppClient, type WhatsAppClientOptions } from '#libs/whatsapp';
import { Config } from '../config/config.js';
import { userAgent } from '../config/version.js';
import type { Row } from '../database/statements/statement.js';
import { SecretBox } from '../secrets/secret-box.js';
import * as sql from './platform-clients.statements.js';

/** A client for each mode; `test` is null without a simulator. */
export type ModeClients = Readonly<{ live: WhatsAppClient; test: WhatsAppClient | null }>;

/** The credentials of an account for the platform. */
export type Credentials = Readonly<Row<typeof sql.findCredentials>>;

/** The way to the platform: clients for both modes, and the credentials of accounts. */
@Injectable()
export class PlatformClients implements OnApplicationShutdown {
  private readonly opened: WhatsAppClient[] = [];

  constructor(
    private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {}

  /** Opens clients with connections of their own. They are closed when the process ends. */
  open(options: Omit<WhatsAppClientOptions, 'baseUrl' | 'userAgent'>): ModeClients {
    const { platformBaseUrl, simulatorBaseUrl } = this.config;
    const client = (baseUrl: string) => {
      const opened = new WhatsAppClient({ ...options, baseUrl, userAgent });
      this.opened.push(opened);
      return opened;
    };
    return {
      live: client(platformBaseUrl),
      test: simulatorBaseUrl === null ? null : client(simulatorBaseUrl),
    };
  }

  /** @throws SecretUnreadableError, or the store's error */
  async credentialsOf(accountId: string): Promise<Credentials> {
    const row = await sql.findCredentials.row(this.dataSource, { accountId });
    if (!row) throw new Error(`account ${accountId} is gone`);
    const accessToken = this.secrets.open(row.accessToken, `accounts.access_token.${accountId}`);
    return { ...row, accessToken };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.opened.map((client) => client.destroy()));
  }
}
