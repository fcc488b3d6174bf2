import { as } from '../../database/statements/sql-types.js';
import { statement } from '../../database/statements/statement.js';
import type { TemplateChanges } from './template-records.js';

/** Why a sync failed, as it is kept and shown. */
export interface SyncError {
  /** `refused` with the platform's code, or what prevented an answer. */
  readonly reason: string;
  readonly message: string;
  readonly platformCode: number | null;
}

export const beginTemplateSync = statement({
  name: 'begin-template-sync',
  params: { accountId: 'uuid', mode: 'text', runId: 'uuid', leaseSeconds: 'float8' },
  columns: { started_at: 'timestamptz' },
  text: `
  insert into template_syncs (account_id, mode, run_id, running_until, started_at)
  values (:accountId, :mode, :runId, clock_timestamp() + make_interval(secs => :leaseSeconds), clock_timestamp())
  on conflict (account_id, mode) do update set run_id = excluded.run_id,
    running_until = excluded.running_until, started_at = excluded.started_at
  where template_syncs.running_until is null
    or template_syncs.running_until < clock_timestamp()
  returning started_at`,
});

export const failTemplateSync = statement({
  name: 'fail-template-sync',
  params: { runId: 'uuid', error: 'jsonb' },
  text: `
  update template_syncs set running_until = null, failed_at = clock_timestamp(), error = :error
  where run_id = :runId`,
});

export const endTemplateSync = statement({
  name: 'end-template-sync',
  params: { runId: 'uuid', summary: 'jsonb' },
  text: `
  update template_syncs set running_until = null, synced_at = clock_timestamp(),
    failed_at = null, error = null, summary = :summary
  where run_id = :runId`,
});

export const renewTemplateSync = statement({
  name: 'renew-template-sync',
  params: { runId: 'uuid', leaseSeconds: 'float8' },
  text: `
  update template_syncs set running_until = clock_timestamp() + make_interval(secs => :leaseSeconds)
  where run_id = :runId and running_until is not null`,
});

export const findTemplateSync = statement({
  name: 'find-template-sync',
  params: { accountId: 'uuid', mode: 'text' },
  columns: {
    run_id: 'uuid',
    running: 'bool',
    ended: 'bool',
    synced_at: 'timestamptz?',
    error: as<SyncError | null>('jsonb'),
    summary: as<TemplateChanges | null>('jsonb'),
  },
  text: `
  select run_id, coalesce(running_until > clock_timestamp(), false) as running,
    running_until is null as ended, synced_at, error, summary
  from template_syncs where account_id = :accountId and mode = :mode`,
});
