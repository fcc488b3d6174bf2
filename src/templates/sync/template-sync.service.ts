import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource, type EntityManager } from 'typeorm';
import { PlatformRequestError } from '#libs/whatsapp';
import { AccountVersions, raiseVersion } from '../../accounts/account-versions.js';
import type { Row } from '../../database/statements/statement.js';
import { LOGGER } from '../../logging/logging.module.js';
import { Timers } from '../../timers/timers.js';
import { PlatformTemplates, type TemplateScope } from './platform-templates.js';
import { type TemplateChanges, TemplateRecords } from './template-records.js';
import type { SyncError } from './template-sync.statements.js';
import * as sql from './template-sync.statements.js';

/** How a sync ended. */
export type SyncOutcome =
  | { readonly ok: true; readonly changes: TemplateChanges; readonly syncedAt: Date }
  | { readonly ok: false; readonly error: SyncError };

/** A run without a sign of life for this long is over: its process is gone. */
const leaseSeconds = 60;
const renewEveryMs = 20_000;

/** How often a process looks whether the run of another one has ended. */
const lookEveryMs = 250;

/** Another process has the run by now: this one was away for longer than its lease. */
class RunLostError extends Error {}

/** Brings the templates of an account here, all pages or nothing. */
@Injectable()
export class TemplateSync {
  private readonly running = new Map<string, Promise<SyncOutcome>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly platform: PlatformTemplates,
    private readonly records: TemplateRecords,
    private readonly versions: AccountVersions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Runs a sync, or joins the one in progress, in whichever process that is. */
  syncTemplates(scope: TemplateScope): Promise<SyncOutcome> {
    const key = `${scope.accountId} ${scope.mode}`;
    let running = this.running.get(key);
    if (!running) {
      running = this.runOrJoin(scope).finally(() => this.running.delete(key));
      this.running.set(key, running);
    }
    return running;
  }

  /**
   * Stores what the platform says of templates of one name.
   * @returns whether something changed.
   */
  async refresh(scope: TemplateScope, name: string): Promise<boolean> {
    const definitions = await this.platform.list(scope, name);
    const { isChanged } = await this.store(scope, (manager) =>
      this.records.apply(manager, scope, definitions, { name }),
    );
    return isChanged;
  }

  private async runOrJoin(scope: TemplateScope): Promise<SyncOutcome> {
    for (;;) {
      const runId = randomUUID();
      const startedAt = await this.begin(scope, runId);
      if (startedAt) return this.carryOut(scope, runId, startedAt);
      const outcome = await this.join(scope);
      if (outcome) return outcome;
    }
  }

  /** Null: another run is in progress. */
  private async begin({ accountId, mode }: TemplateScope, runId: string): Promise<Date | null> {
    const given = { accountId, mode, runId, leaseSeconds };
    const row = await sql.beginTemplateSync.row(this.dataSource, given);
    return row?.started_at ?? null;
  }

  private async carryOut(scope: TemplateScope, runId: string, asOf: Date): Promise<SyncOutcome> {
    const timers = new Timers(this.logger);
    timers.every(renewEveryMs, 'renew a lease', () => this.renew(runId));
    try {
      const definitions = await this.platform.list(scope);
      const { changes, syncedAt } = await this.store(scope, async (manager) => {
        const found = await this.records.apply(manager, scope, definitions, { asOf });
        await this.end(manager, runId, found);
        return found;
      });
      return { ok: true, changes, syncedAt };
    } catch (error) {
      const failure = toSyncError(error);
      this.logger.warn(
        { err: error, account_id: scope.accountId, mode: scope.mode },
        'could not sync the templates of an account',
      );
      await sql.failTemplateSync.run(this.dataSource, { runId, error: failure });
      return { ok: false, error: failure };
    } finally {
      timers.stop();
    }
  }

  /** Runs in the transaction of the sync's changes: a run that has lost its lease changes nothing. */
  private async end(
    manager: EntityManager,
    runId: string,
    changes: TemplateChanges,
  ): Promise<void> {
    const ended = await sql.endTemplateSync.changed(manager, { runId, summary: changes });
    if (ended === 0) throw new RunLostError('another run has taken over');
  }

  private async store(
    { accountId }: TemplateScope,
    work: (manager: EntityManager) => Promise<TemplateChanges>,
  ): Promise<{ changes: TemplateChanges; isChanged: boolean; syncedAt: Date }> {
    const { changes, version } = await this.dataSource.transaction(async (manager) => {
      const found = await work(manager);
      const isChanged = found.added + found.changed + found.removed > 0;
      return {
        changes: found,
        version: isChanged ? await raiseVersion(manager, accountId) : null,
      };
    });
    const syncedAt = new Date();
    if (version === null) return { changes, isChanged: false, syncedAt };
    try {
      await this.versions.publish(accountId, version);
    } catch (error) {
      // The copy expires within a minute; until then some processes use the former templates.
      this.logger.warn({ err: error, account_id: accountId }, 'could not publish a change');
    }
    return { changes, isChanged: true, syncedAt };
  }

  private async renew(runId: string): Promise<void> {
    await sql.renewTemplateSync.run(this.dataSource, { runId, leaseSeconds });
  }

  /** Waits for another process's run. Null: it ended without a result. */
  private async join({ accountId, mode }: TemplateScope): Promise<SyncOutcome | null> {
    let joined: string | null = null;
    for (;;) {
      const row = await sql.findTemplateSync.row(this.dataSource, { accountId, mode });
      if (!row) return null;
      joined ??= row.run_id;
      if (row.run_id !== joined || !row.running) return row.ended ? outcomeOf(row) : null;
      await pause(lookEveryMs);
    }
  }
}

function outcomeOf({
  error,
  summary,
  synced_at: syncedAt,
}: Row<typeof sql.findTemplateSync>): SyncOutcome | null {
  if (error) return { ok: false, error };
  return summary && syncedAt ? { ok: true, changes: summary, syncedAt } : null;
}

function toSyncError(error: unknown): SyncError {
  if (error instanceof PlatformRequestError) {
    return {
      reason: error.reason,
      message: error.error?.message ?? error.message,
      platformCode: error.error?.code ?? null,
    };
  }
  return { reason: 'internal', message: 'The templates could not be stored.', platformCode: null };
}
