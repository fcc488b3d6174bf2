import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dayMs, hourMs } from '#libs/durations';
import { hearsOwnSql } from '../../access/key-state.js';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import type { AccountModeQueryDto } from '../../api-keys/api-keys.dto.js';
import { firstIdAt } from '../../database/ids.js';
import { failuresToTell, webhookPatience } from '../../endpoints/endpoint-limits.js';
import { clocksApartMaxMs } from '../endpoint-deliveries.js';
import type { EndpointStandingDto } from './endpoint-health.dto.js';

const endpointsMax = 200;

/** The figures of an endpoint cover this many deliveries. */
const sampleMax = 1_000;

/** The most deliveries that are searched for what a failing or disabled endpoint missed. */
const missedMax = 10_000;

type Figure = 'finished' | 'succeeded' | 'median_ms' | 'last_success_at' | 'missed';

type FiguresRow = Pick<EndpointStandingDto, 'endpoint_id' | Figure> & {
  /** Among how many deliveries the missed ones were counted. */
  readonly looked_at: number;
};

type EndpointRow = Omit<EndpointStandingDto, Figure | 'missed_since' | 'missed_is_exact'> & {
  readonly failing_since: Date | null;
};

/* Those that need attention first, and of these the disabled ones: they deliver nothing. */
const endpointsSql = `
  select e.id as endpoint_id, e.name as endpoint_name, k.id as api_key_id, k.name as api_key_name,
    e.account_id, e.mode, e.url, e.format, e.disabled_reason, f.since as failing_since,
    case when e.disabled_at is not null then 'disabled'
      when f.failures >= $2 then 'failing' else 'healthy' end as health,
    case when e.disabled_at is not null then e.disabled_at
      when f.failures >= $2 then f.since end as since,
    case when e.disabled_at is null and f.failures >= $2
      then f.since + make_interval(hours => $3) end as off_at
  from webhook_endpoints e join api_keys k on k.id = e.api_key_id
    left join webhook_failures f on f.endpoint_id = e.id
  where e.url is not null and ${hearsOwnSql} and ($1::uuid is null or e.account_id = $1)
    and ($5::text is null or e.mode = $5)
  order by e.disabled_at is null, coalesce(f.failures, 0) < $2, k.name, e.id <> k.id, e.name, e.id
  limit $4`;

/*
 * Each part reads a bounded number of rows from done_events_endpoint (endpoint_id, id), the newest first. A healthy
 * endpoint is read once: what it missed is counted in the sample. The last success of one without success in the
 * sample is looked for before its trouble.
 */
const figuresSql = `
  select e.id as endpoint_id, s.finished, s.succeeded, s.median_ms,
    coalesce(s.last_success_at, b.last_success_at) as last_success_at,
    coalesce(m.missed, s.missed) as missed, coalesce(m.looked_at, s.finished) as looked_at
  from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::boolean[])
    as e (id, missed_since, missed_from, trouble_from, is_sick)
  cross join lateral (
    select count(*)::int as finished,
      (count(*) filter (where status = 'succeeded'))::int as succeeded,
      (count(*) filter (where status = 'failed'))::int as missed,
      (percentile_cont(0.5) within group (order by last_ms)
        filter (where status = 'succeeded'))::int as median_ms,
      max(last_at) filter (where status = 'succeeded') as last_success_at
    from (
      select status, last_ms, last_at from done_events
      where endpoint_id = e.id and id >= $6 order by id desc limit $7
    ) newest
  ) s
  left join lateral (
    select (count(*) filter (where status = 'failed' and created_at >= e.missed_since))::int as missed,
      count(*)::int as looked_at
    from (
      select status, created_at from done_events
      where endpoint_id = e.id and id >= e.missed_from order by id desc limit $8
    ) troubled
  ) m on e.is_sick
  left join lateral (
    select max(last_at) filter (where status = 'succeeded') as last_success_at
    from (
      select status, last_at from done_events
      where endpoint_id = e.id and id < e.trouble_from order by id desc limit $7
    ) before
  ) b on s.last_success_at is null`;

/** All endpoints that a user may see, and how they do. */
@Injectable()
export class EndpointHealthList {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws AppError NOT_FOUND for another account */
  async list(
    user: SignedInUser,
    { account_id: asked, mode }: AccountModeQueryDto,
  ): Promise<EndpointStandingDto[]> {
    const dayAgo = Date.now() - dayMs;
    const rows: EndpointRow[] = await this.dataSource.query(endpointsSql, [
      accountScope(user, asked),
      failuresToTell,
      webhookPatience.hours,
      endpointsMax,
      mode ?? null,
    ]);
    const endpoints = rows.map(({ failing_since: failingSince, ...endpoint }) => {
      const isSick = endpoint.health !== 'healthy';
      const began = (isSick && (failingSince ?? endpoint.since)?.getTime()) || Date.now();
      return {
        endpoint,
        isSick,
        troubleFrom: Math.min(began, dayAgo),
        // The event whose failure was the first may have waited for a while.
        missedSince: Math.min(began - hourMs, dayAgo),
      };
    });
    const counted: FiguresRow[] = await this.dataSource.query(figuresSql, [
      endpoints.map(({ endpoint }) => endpoint.endpoint_id),
      endpoints.map((each) => new Date(each.missedSince)),
      endpoints.map((each) => firstIdAt(each.missedSince - clocksApartMaxMs)),
      endpoints.map(({ troubleFrom }) => firstIdAt(troubleFrom)),
      endpoints.map(({ isSick }) => isSick),
      firstIdAt(dayAgo),
      sampleMax,
      missedMax,
    ]);
    const byId = new Map(counted.map((each) => [each.endpoint_id, each]));
    return endpoints.flatMap(({ endpoint, isSick, missedSince: from }) => {
      const row = byId.get(endpoint.endpoint_id);
      if (!row) return [];
      const { looked_at: lookedAt, ...known } = row;
      return {
        ...endpoint,
        ...known,
        missed_is_exact: lookedAt < (isSick ? missedMax : sampleMax),
        missed_since: new Date(from),
      };
    });
  }
}
