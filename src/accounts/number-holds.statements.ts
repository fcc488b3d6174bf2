import { as } from '../database/statements/sql-types.js';
import { statement } from '../database/statements/statement.js';
import { reportedProbeBit } from './number-hold.js';

const isPausedUntilReport = `hold_kind = 'paused' and hold_until_report`;

export const endThrottle = statement({
  name: 'end-throttle',
  params: { accountId: 'uuid' },
  text: `
  update accounts set hold_kind = null, hold_until = null, hold_step = 0, hold_code = null,
    hold_reason = null
  where id = :accountId and hold_kind = 'throttled'`,
});

/** Taking a probe also sets the time of the next one, so a worker that crashes with its probe delays nothing else. */
export const takeDueProbes = statement({
  name: 'take-due-probes',
  params: { probeSeconds: 'int4', throttleSeconds: 'int4', reportMinutes: 'int4' },
  columns: { accountId: 'uuid', kind: as<'throttled' | 'paused' | 'paused_until_report'>('text') },
  text: `
  update accounts set hold_probe = null,
    hold_until = now() + case when ${isPausedUntilReport}
      then make_interval(mins => least(:reportMinutes::int, 1 << least(hold_step, 10)))
      else make_interval(secs => case when hold_kind = 'paused' then :probeSeconds::int else :throttleSeconds::int end) end,
    hold_step = hold_step + case when ${isPausedUntilReport} then 1 else 0 end
  where id in (select a.id from accounts a
    where a.hold_kind is not null
      and (a.hold_until <= now() and a.hold_probe is distinct from 'open'
        or a.hold_probe is not null and (select true from messages m
          where m.status = 'queued' and m.account_id = a.id and m.mode = 'live' limit 1))
    for update skip locked)
  returning id as "accountId", case when ${isPausedUntilReport} then 'paused_until_report' else hold_kind end as kind`,
});

export const noteProbe = statement({
  name: 'note-probe',
  params: { accountId: 'uuid', messageId: 'uuid' },
  text: `
  update accounts set hold_probe_id = :messageId where id = :accountId and ${isPausedUntilReport}`,
});

export const openProbe = statement({
  name: 'open-probe',
  params: { accountId: 'uuid' },
  text: `
  update accounts set hold_until = now(), hold_step = greatest(0, hold_step - 1), hold_probe = 'open'
  where id = :accountId and ${isPausedUntilReport}`,
});

export const releaseProbe = statement({
  name: 'release-probe',
  params: { accountId: 'uuid' },
  text: `
  update accounts set hold_until = now() where id = :accountId and hold_kind = 'throttled'`,
});

export const listReportedProbes = statement({
  name: 'list-reported-probes',
  columns: { id: 'uuid', probeId: 'uuid' },
  text: `
  select a.id, a.hold_probe_id as "probeId" from accounts a
    cross join lateral (select m.status, m.entered from messages m
      where m.id = a.hold_probe_id offset 0) m
  where ${isPausedUntilReport} and m.status = 'sent' and m.entered & ${reportedProbeBit} <> 0`,
});

/** A row if a report about a message says something about its number now. */
export const findNewsOfNumber = statement({
  name: 'find-news-of-number',
  params: { accountId: 'uuid', messageId: 'uuid', untilReport: 'bool' },
  text: `
  select from accounts a join messages m on m.id = :messageId and m.account_id = a.id
  where a.id = :accountId and m.mode = 'live' and m.status = 'failed'
    and m.sending_at > coalesce(a.hold_ended_at, '-infinity')
    and (a.hold_kind is distinct from 'paused' or :untilReport::boolean and not a.hold_until_report)`,
});

/** Many sends may be refused at once; only the first of them takes a step, and so does a probe. */
export const throttleNumber = statement({
  name: 'throttle-number',
  params: {
    accountId: 'uuid',
    code: 'int4',
    reason: 'text',
    maxSeconds: 'int4',
    isProbe: 'bool',
    slowDown: 'float4',
  },
  text: `
  update accounts set hold_kind = 'throttled', hold_code = :code, hold_reason = :reason,
    hold_until = now() + make_interval(secs => least(:maxSeconds::int, 1 << least(hold_step, 10))),
    hold_step = hold_step + 1,
    learnt_per_second = case when messages_per_second is not null then greatest(1,
      pace_of(messages_per_second, learnt_per_second, learnt_at) * :slowDown::real) end,
    learnt_at = now()
  where id = :accountId and (hold_kind is null or (hold_kind = 'throttled' and :isProbe::boolean))`,
});

/** A pause that ends when the number can be read becomes one until a report, never the other way round. */
export const pauseNumber = statement({
  name: 'pause-number',
  params: {
    accountId: 'uuid',
    code: 'int4',
    reason: 'text',
    probeSeconds: 'int4',
    untilReport: 'bool',
  },
  columns: { id: 'uuid' },
  text: `
  update accounts set hold_kind = 'paused', hold_code = :code, hold_reason = :reason,
    hold_step = case when :untilReport::boolean then 1 else 0 end,
    hold_until = now() + make_interval(secs => :probeSeconds::int),
    hold_until_report = :untilReport, hold_probe = null, hold_probe_id = null
  where id = :accountId and (hold_kind is distinct from 'paused' or :untilReport and not hold_until_report)
  returning id`,
});
