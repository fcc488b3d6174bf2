import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type TemplateDefinition, WhatsAppClient } from '#libs/whatsapp';
import type { Mode } from '../access/mode.js';
import { Config } from '../config/config.js';
import { SecretBox } from '../secrets/secret-box.js';

const connections = 1;
const timeoutMs = 10_000;

/**
 * Pages begin at least this far apart, whatever requests them. The platform allows an application
 * 5,000 calls an hour and account; a full account of 6,000 templates is 60 pages.
 */
const pageEveryMs = 100;

/** Whose templates: live ones are the platform's, test ones the simulator's. */
export interface TemplateScope {
  readonly accountId: string;
  readonly mode: Mode;
}

/** The templates of accounts as the platform has them. */
@Injectable()
export class PlatformTemplates implements OnApplicationShutdown {
  private readonly clients: Record<Mode, WhatsAppClient | null>;
  private readonly stopping = new AbortController();
  private nextPageAtMs = 0;

  constructor(
    config: Config,
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
  ) {
    const client = (baseUrl: string) => new WhatsAppClient({ baseUrl, connections, timeoutMs });
    this.clients = {
      live: client(config.platformBaseUrl),
      test: config.simulatorBaseUrl === null ? null : client(config.simulatorBaseUrl),
    };
  }

  /** Whose templates can be read at all. */
  get modes(): Mode[] {
    return this.clients.test ? ['live', 'test'] : ['live'];
  }

  /**
   * Reads all pages; nothing is answered unless all of them came.
   * @param name only templates of this very name, in all their languages.
   * @throws PlatformRequestError; SecretUnreadableError, or the store's error
   */
  async list(scope: TemplateScope, name?: string): Promise<TemplateDefinition[]> {
    const client = this.clients[scope.mode];
    if (!client) return [];
    const found = await client.listTemplates(await this.businessAccount(scope.accountId), {
      name,
      signal: this.stopping.signal,
      beforePage: () => this.pace(),
    });
    return name === undefined ? found : found.filter((template) => template.name === name);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.clients.live?.destroy(), this.clients.test?.destroy()]);
  }

  private async pace(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.nextPageAtMs);
    this.nextPageAtMs = at + pageEveryMs;
    if (at > now) await pause(at - now);
  }

  private async businessAccount(accountId: string) {
    const [row]: { business_account_id: string; access_token: string }[] =
      await this.dataSource.query(
        'select business_account_id, access_token from accounts where id = $1',
        [accountId],
      );
    if (!row) throw new Error(`account ${accountId} is gone`);
    return {
      businessAccountId: row.business_account_id,
      accessToken: this.secrets.open(row.access_token, `accounts.access_token.${accountId}`),
    };
  }
}
