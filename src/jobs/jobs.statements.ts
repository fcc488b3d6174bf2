import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { isResent } from '../messages/message.js';
import type { JobKind, JobState } from './jobs.dto.js';

const jobColumns = `
  j.id, j.account_id, j.kind, j.filter, j.state, j.total, j.done, j.failed, j.user_name as created_by, j.created_at,
  j.ended_at, coalesce((
    select jsonb_object_agg(f.code, f.count) from (
      select coalesce(i.code, 'unknown') as code, count(*)::int as count
      from job_items i where i.job_id = j.id and not i.is_done group by 1) f), '{}') as failures_by_code`;

const jobColumnTypes = {
  id: 'uuid',
  account_id: 'uuid?',
  kind: as<JobKind>('text'),
  filter: as<Record<string, unknown>>('jsonb'),
  state: as<JobState>('text'),
  total: 'int4',
  done: 'int4',
  failed: 'int4',
  created_by: 'text',
  created_at: 'timestamptz',
  ended_at: 'timestamptz?',
  failures_by_code: as<Record<string, number>>('jsonb'),
} as const;

export const forgetEndedJob = statement({
  name: 'forget-ended-job',
  params: { days: 'int4' },
  text: `
  delete from jobs where id = (select id from jobs where ended_at < now() - make_interval(days => :days)
    order by id limit 1 for update skip locked)`,
});

export const addJob = statement({
  name: 'add-job',
  params: {
    id: 'uuid',
    accountId: 'uuid?',
    kind: 'text',
    filter: 'jsonb',
    total: 'int4',
    userId: 'uuid',
    userName: 'text',
  },
  text: `
  insert into jobs (id, account_id, kind, filter, state, total, user_id, user_name, ended_at)
  values (:id, :accountId, :kind, :filter, case when :total = 0 then 'done' else 'running' end, :total, :userId, :userName,
    case when :total = 0 then now() end)`,
});

export const addJobItems = statement({
  name: 'add-job-items',
  params: { jobId: 'uuid', subjectIds: 'uuid[]' },
  text: `
  insert into job_items (job_id, position, subject_id)
  select :jobId, t.position, t.id from unnest(:subjectIds::uuid[]) with ordinality as t (id, position)`,
});

export const findJob = statement({
  name: 'find-job',
  params: { id: 'uuid', accountId: 'uuid?' },
  columns: jobColumnTypes,
  text: `select ${jobColumns} from jobs j where j.id = :id and (:accountId::uuid is null or j.account_id = :accountId)`,
});

/* Each item is looked up by its id, so that no plan reads whole tables of deliveries. */
export const countJobDeliveries = statement({
  name: 'count-job-deliveries',
  params: { jobId: 'uuid' },
  columns: { succeeded: 'int4', failed: 'int4', retrying: 'int4', pending: 'int4' },
  text: `
  select count(*) filter (where s.status = 'succeeded')::int as succeeded,
    count(*) filter (where s.status = 'failed')::int as failed,
    count(*) filter (where s.status = 'retrying')::int as retrying,
    count(*) filter (where s.status = 'pending')::int as pending
  from job_items i, lateral (
    select case when o.attempts > o.attempts_before then 'retrying' else 'pending' end as status
    from open_events o where o.id = i.subject_id
    union all
    select d.status from done_events d where d.id = i.subject_id
    limit 1) s
  where i.job_id = :jobId and i.is_done`,
});

export const judgeResends = statement({
  name: 'judge-resends',
  params: { ids: 'uuid[]' },
  columns: { id: 'uuid', leftOut: 'text?', code: 'int4?' },
  text: `
  select m.id, case when m.campaign_id is not null then 'campaign'
      when m.error->>'fallbackMessageId' is not null then 'fallback'
      when ${isResent('m')} then 'resent'
    end as "leftOut", (m.error->>'platformCode')::int as code
  from unnest(:ids::uuid[]) with ordinality as wanted (id, place) join messages m on m.id = wanted.id
  order by wanted.place`,
});

export const countJobMessages = statement({
  name: 'count-job-messages',
  params: { jobId: 'uuid' },
  columns: { sent: 'int4', failed: 'int4', unconfirmed: 'int4', waiting: 'int4' },
  text: `
  select count(*) filter (where s.status in ('sent', 'delivered', 'read'))::int as sent,
    count(*) filter (where s.status = 'failed')::int as failed,
    count(*) filter (where s.status = 'unconfirmed')::int as unconfirmed,
    count(*) filter (where s.status in ('queued', 'scheduled', 'sending'))::int as waiting
  from job_items i, lateral (
    select coalesce(m.receipt, m.status) as status from messages m where m.resent_from = i.subject_id
    order by m.id desc limit 1) s
  where i.job_id = :jobId and i.is_done`,
});

export const listJobs = statement({
  name: 'list-jobs',
  params: { accountId: 'uuid?', before: 'uuid?', limit: 'int8' },
  columns: jobColumnTypes,
  text: `
  select ${jobColumns} from jobs j
  where (:accountId::uuid is null or j.account_id = :accountId) and (:before::uuid is null or j.id < :before)
  order by j.id desc limit :limit`,
});

export const stopJob = statement({
  name: 'stop-job',
  params: { id: 'uuid' },
  text: `update jobs set state = 'stopped', ended_at = now() where id = :id and state = 'running'`,
});
