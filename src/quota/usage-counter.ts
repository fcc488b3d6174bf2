import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { hourMs } from '#libs/durations';
import type { Principal } from '../access/principal.js';
import { LOGGER } from '../logging/logging.module.js';
import { Timers } from '../timers/timers.js';
import * as sql from './usage-counter.statements.js';

const flushEveryMs = 3_000;

interface Usage {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly mode: string;
  readonly hour: Date;
  readonly calls: number;
  readonly accepted: number;
  readonly refused: number;
  readonly lastUsedAt: Date;
  readonly address: string;
}

/** The last use of a key or signing secret, the present or a former one. */
interface SecretUse {
  readonly apiKeyId: string;
  readonly digest: string;
  readonly lastUsedMs: number;
  readonly address: string;
}

/** What is counted of a request besides its key. */
interface CountedRequest {
  /** Its answer was an error. */
  readonly isRefused: boolean;
  readonly address: string;
  /** The digest of the secret that signed it, or null. */
  readonly signedWith: string | null;
}

/** Counts calls by key and hour for the dashboard's totals; writes them every few seconds. */
@Injectable()
export class UsageCounter implements OnApplicationBootstrap, OnApplicationShutdown {
  private usages = new Map<string, Usage>();
  /** By digest. */
  private secretUses = new Map<string, SecretUse>();
  private readonly timers: Timers;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.timers = new Timers(logger);
  }

  onApplicationBootstrap(): void {
    this.timers.every(flushEveryMs, 'write the usage', () => this.flush());
  }

  async onApplicationShutdown(): Promise<void> {
    this.timers.stop();
    await this.flush();
  }

  /** Counts one authenticated request. */
  count(principal: Principal, { isRefused, address, signedWith }: CountedRequest): void {
    const { accountId, apiKeyId, mode, keyDigest } = principal;
    const now = Date.now();
    const hour = new Date(Math.floor(now / hourMs) * hourMs);
    const [accepted, refused] = isRefused ? [0, 1] : [1, 0];
    const counts = { calls: 1, accepted, refused };
    this.add({ accountId, apiKeyId, mode, hour, ...counts, lastUsedAt: new Date(now), address });
    const use = { apiKeyId, lastUsedMs: now, address };
    if (keyDigest !== null) this.addUse({ ...use, digest: keyDigest });
    if (signedWith !== null) this.addUse({ ...use, digest: signedWith });
  }

  private async flush(): Promise<void> {
    const usages = [...this.usages.values()];
    const uses = [...this.secretUses.values()];
    this.usages = new Map();
    this.secretUses = new Map();
    // Apart, so that neither holds rows of one table while it waits for those of the other.
    if (!(await this.write(sql.addUsages, usages))) for (const usage of usages) this.add(usage);
    if (!(await this.write(sql.addSecretUses, uses))) for (const use of uses) this.addUse(use);
  }

  /** @returns whether it could. */
  private async write(add: typeof sql.addUsages, counted: readonly object[]): Promise<boolean> {
    if (counted.length === 0) return true;
    try {
      await add.run(this.dataSource, { counted: JSON.stringify(counted) });
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'could not write the usage; it is written with the next');
      return false;
    }
  }

  private addUse(use: SecretUse): void {
    const known = this.secretUses.get(use.digest);
    if (!known || known.lastUsedMs <= use.lastUsedMs) this.secretUses.set(use.digest, use);
  }

  private add(usage: Usage): void {
    const id = `${usage.apiKeyId} ${usage.hour.getTime()}`;
    const known = this.usages.get(id);
    this.usages.set(id, {
      ...(known && known.lastUsedAt > usage.lastUsedAt ? known : usage),
      calls: usage.calls + (known?.calls ?? 0),
      accepted: usage.accepted + (known?.accepted ?? 0),
      refused: usage.refused + (known?.refused ?? 0),
    });
  }
}
