/** An endpoint is switched off when it has had no success for this long and failed this often. */
const patience = { hours: 120, failures: 12 };

/** People are told of an endpoint after this many failures since its last success. */
const failuresToTell = 3;

/** Whether people find a trouble of an endpoint among the alerts that are over. */
export const isRemembered = (failures: number, seconds: number) =>
  failures >= failuresToTell && seconds >= 60;

export type EndpointHealth = 'disabled' | 'failing' | 'healthy';

/** Whether an endpoint has failed for so long that it is to be switched off. */
export const isSpent = (failures: number, failingHours: number) =>
  failures >= patience.failures && failingHours > patience.hours;

/** For the database: how an endpoint `e` does, whose row of `webhook_failures` is `f`. */
export const healthSql = `case when e.disabled_at is not null then 'disabled'
  when f.failures >= ${failuresToTell} then 'failing' else 'healthy' end`;

/** For the database: when an endpoint that fails will be switched off unless an attempt succeeds. */
export const offAtSql = `f.since + interval '${patience.hours} hours'`;
