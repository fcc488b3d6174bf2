/**
 * The recipient decides what becomes of a message, so that the platform knows without being asked.
 *
 * - `life`: the platform reports on it, and its events go to the receiver.
 * - `dead`: the platform reports on it, and its events go to an endpoint that does not work.
 * - `plain`: nothing is reported.
 * - `held`: reported on when the benchmark says so.
 */
export const prefixes = { life: '1415555', dead: '1415556', plain: '1415557', held: '1415558' };

const kinds = new Map(Object.entries(prefixes).map(([kind, prefix]) => [prefix, kind]));

export const kindOf = (phone) => kinds.get(phone.slice(0, 7));

/** What the platform reports of a message, in order. */
export const reported = ['sent', 'delivered', 'read'];

/** Milliseconds of a clock that all processes of the machine share. */
export const now = () => Number(process.hrtime.bigint()) / 1e6;
