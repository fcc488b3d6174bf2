import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { TemplateDefinition } from '#libs/whatsapp';
import type { Mode } from '../../access/mode.js';
import { type ModeClients, PlatformClients } from '../../platform/platform-clients.js';

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
export class PlatformTemplates implements BeforeApplicationShutdown {
  private readonly clients: ModeClients;
  private readonly stopping = new AbortController();
  private nextPageAtMs = 0;

  constructor(private readonly platform: PlatformClients) {
    this.clients = platform.open({ connections, timeoutMs });
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
    const found = await client.listTemplates(await this.platform.credentialsOf(scope.accountId), {
      name,
      signal: this.stopping.signal,
      beforePage: () => this.pace(),
    });
    return name === undefined ? found : found.filter((template) => template.name === name);
  }

  /** Before the clients close, which waits for the reads in flight. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async pace(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.nextPageAtMs);
    this.nextPageAtMs = at + pageEveryMs;
    if (at > now) await pause(at - now);
  }
}
