import { InputRows } from '../database/statements/input-rows.js';
import { statement } from '../database/statements/statement.js';
import { skewMaxSeconds } from './request-signature.js';

/** Twice the window: a request is remembered for as long as its time-stamp could still pass. */
const rememberSeconds = 2 * skewMaxSeconds;

export const signedInput = new InputRows({
  apiKeyId: 'uuid',
  fingerprint: 'bytea',
  timestamp: 'int8',
});

/** Rows go in by the order of their key, so that two groups cannot wait for each other. */
export const markSignatures = statement({
  name: 'mark-signatures',
  params: signedInput.params,
  columns: { is_known: 'bool', places: 'int4[]' },
  text: `
  with history as (
    select began_at from database_histories where history = database_history()
  ), given as (
    select distinct on (api_key_id, signature) *
    from unnest(${signedInput.arrays})
      with ordinality as t (api_key_id, signature, stamped, place)
    order by api_key_id, signature, place
  ), marked as (
    insert into replay_marks (api_key_id, signature, expires_at)
    select api_key_id, signature, now() + make_interval(secs => ${rememberSeconds})
    from given, history where to_timestamp(stamped) >= began_at
    order by api_key_id, signature
    on conflict do nothing returning api_key_id, signature
  )
  select exists (select from history) as is_known,
    array(select place::int from given join marked using (api_key_id, signature)) as places`,
});
