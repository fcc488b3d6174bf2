/** An endpoint is switched off when it has had no success for this long and failed this often. */
export const webhookPatience = { hours: 120, failures: 12 };

/** An operator is told of an endpoint after this many failures since its last success. */
export const failuresToTell = 3;

/** Attempts at one endpoint at once, if it names no other number. */
export const defaultMaxInFlight = 64;
