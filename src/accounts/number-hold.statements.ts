import { statement } from '../database/statements/statement.js';

export const endHold = statement({
  name: 'end-hold',
  params: { accountId: 'uuid', probeId: 'uuid?' },
  text: `
  update accounts set hold_kind = null, hold_until = null, hold_step = 0, hold_code = null,
    hold_reason = null, hold_until_report = false, hold_probe = null, hold_probe_id = null,
    hold_ended_at = clock_timestamp()
  where id = :accountId and hold_kind is not null and (:probeId::uuid is null or hold_probe_id = :probeId)`,
});

export const takeProbe = statement({
  name: 'take-probe',
  params: { accountId: 'uuid' },
  columns: { isTaken: 'bool' },
  text: 'select take_probe(:accountId) as "isTaken"',
});
