import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import type { JobKind } from './jobs.dto.js';

/** So many at once. A job that is stopped still does those that are under way. */
const batchMax = 8;

/** Another process may go on with a job that has told nothing for so long. */
export const leaseSeconds = 60;

/** How long the job tries an item again that is refused for now. */
const patienceHours = 24;

export const claimJob = statement({
  name: 'claim-job',
  columns: {
    id: 'uuid',
    kind: as<JobKind>('text'),
    account_id: 'uuid?',
    /** Whether the job has tried an item that is refused for now for long enough. */
    is_old: 'bool',
  },
  text: `
  update jobs set resume_at = now() + make_interval(secs => ${leaseSeconds})
  where id = (
    select id from jobs where state = 'running' and resume_at <= now()
    order by kind <> 'cancel', resume_at, id limit 1 for update skip locked)
  returning id, kind, account_id, created_at < now() - make_interval(hours => ${patienceHours}) as is_old`,
});

export const listOpenItems = statement({
  name: 'list-open-items',
  params: { jobId: 'uuid' },
  columns: { position: 'int4', subject_id: 'uuid' },
  text: `
  select position, subject_id from job_items
  where job_id = :jobId and is_done is null and (retry_at is null or retry_at <= now())
    and exists (select from jobs where id = :jobId and state = 'running')
  order by retry_at nulls first, position limit ${batchMax}`,
});

export const putItemOff = statement({
  name: 'put-item-off',
  params: { jobId: 'uuid', position: 'int4', seconds: 'float8' },
  text: `
  update job_items set retry_at = now() + make_interval(secs => :seconds) where job_id = :jobId and position = :position and is_done is null`,
});

/** Counts an item, at most once. */
export const noteItem = statement({
  name: 'note-item',
  params: { jobId: 'uuid', position: 'int4', isDone: 'bool', code: 'text?' },
  columns: { noted: 'int4' },
  text: `
  with noted as (
    update job_items set is_done = :isDone, code = :code where job_id = :jobId and position = :position and is_done is null returning is_done
  )
  update jobs set done = done + (select count(*) from noted where is_done),
    failed = failed + (select count(*) from noted where not is_done)
  where id = :jobId returning (select count(*)::int from noted) as noted`,
});

export const endJob = statement({
  name: 'end-job',
  params: { jobId: 'uuid' },
  text: `
  update jobs set state = 'done', ended_at = now()
  where id = :jobId and state = 'running' and not exists (select from job_items where job_id = :jobId and is_done is null)`,
});

/** When the first item may be tried again; at the earliest after `seconds`. */
export const leaveJob = statement({
  name: 'leave-job',
  params: { jobId: 'uuid', seconds: 'float8' },
  text: `
  update jobs set resume_at = greatest(now() + make_interval(secs => :seconds), (
    select coalesce(retry_at, now()) from job_items where job_id = :jobId and is_done is null
    order by retry_at nulls first, position limit 1))
  where id = :jobId`,
});
