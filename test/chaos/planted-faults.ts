import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../support/installation.js';
import { checkout } from '../support/npm-start.js';
import { type ChaosOptions, playStore, type Say } from './chaos.js';

/** One rule of the product taken out, in a copy of what is built. */
interface PlantedFault {
  /** What the product does with it. */
  readonly title: string;
  /** Below `dist/modules/`. */
  readonly file?: string;
  /** Found exactly once, else the run fails: the fault must be planted in the new code. */
  readonly find?: string;
  readonly replace?: string;
  /** The fault is the operator's, in place of one in the build: nobody ends a primary that was replaced. */
  readonly isUnfenced?: boolean;
  /** The faults that show it, and where. */
  readonly only: readonly string[];
  /** How much of them; default 1. */
  readonly dose?: number;
  readonly store: Store;
  /** The invariants of which one must break. */
  readonly breaks: readonly string[];
}

export const plantedFaults: readonly PlantedFault[] = [
  {
    title: 'cancels what a worker has in hand',
    file: 'src/messages/rows/message-cancellation.statements.js',
    find: "where m.id = :id and ${unindexed('m.status')} = 'queued'`",
    replace: 'where m.id = :id`',
    only: ['F27'],
    store: 'postgres',
    breaks: ['I19'],
  },
  {
    title: 'tells programs that what WhatsApp may have was not sent',
    file: 'src/graph/messages/graph-sends.service.js',
    find: 'throw unconfirmed(messageId)',
    replace: 'throw notSent(messageId)',
    only: ['F32'],
    store: 'postgres',
    breaks: ['I25'],
  },
  {
    title: 'passes on to endpoints of the own form what it has passed on before',
    file: 'src/notifications/processing/notification-relay.js',
    find: 'isNew.has(key)',
    replace: 'true',
    only: ['F31'],
    store: 'postgres',
    breaks: ['I24'],
  },
  {
    title: 'releases scheduled messages and leaves them scheduled',
    file: 'src/messages/rows/scheduled-rows.statements.js',
    find: 'delete from scheduled_messages s using chosen c',
    replace: 'update scheduled_messages s set withdrawn = s.withdrawn from chosen c',
    only: ['F28'],
    store: 'postgres',
    breaks: ['I20'],
  },
  {
    title: 'releases recipients that another worker has released',
    file: 'src/campaigns/release/campaign-release.statements.js',
    find: "const isPending = `${unindexed('r.status')} = 'pending'`;",
    replace: 'const isPending = `true`;',
    only: ['F29'],
    store: 'postgres',
    breaks: ['I21', 'I22'],
  },
  {
    title: 'releases as much as there is, whatever the number has room for',
    file: 'src/campaigns/release/campaign-release.statements.js',
    find: '`${ask}(n.account_id, n.mode)`',
    replace: '`1000000`',
    only: ['F29'],
    store: 'postgres',
    breaks: ['I22'],
  },
  {
    title: 'makes up for all that a campaign is behind its own pace',
    file: 'src/campaigns/release/campaign-release.statements.js',
    find: "interval '200 milliseconds'",
    replace: "interval '5 seconds'",
    only: ['F29'],
    store: 'postgres',
    breaks: ['I22'],
  },
  {
    title: 'releases recipients who have opted out',
    file: 'src/campaigns/release/campaign-release.statements.js',
    find: "when ${optOutOf('o')} is not null then 'opted_out'",
    replace: "when false then 'opted_out'",
    only: ['F29'],
    store: 'postgres',
    breaks: ['I22'],
  },
  {
    title: 'releases more recipients than the key has units',
    file: 'src/campaigns/release/campaign-release.statements.js',
    find: 'where w.of_key <= u.granted',
    replace: 'where true',
    only: ['F29'],
    store: 'postgres',
    breaks: ['I22'],
  },
  {
    title: 'compares recipients by the name that they were given',
    file: 'src/campaigns/release/campaign-release.statements.js',
    find: "and (${of.isSame} or ${recipientStatus} not in ('failed', 'cancelled') or",
    replace: 'and (false and',
    only: ['F29'],
    store: 'postgres',
    breaks: ['I22'],
  },
  {
    title: 'tries those again who are in another retry',
    file: 'src/campaigns/campaigns.statements.js',
    find: 'and ${isTaken})',
    replace: 'and false)',
    only: ['F29'],
    store: 'postgres',
    breaks: ['I22'],
  },
  {
    title: 'goes on with a template that has changed',
    file: 'src/campaigns/campaign.js',
    find: 'else c.content_hash is distinct from ${contentHash} end',
    replace: 'else false end',
    only: ['F29'],
    store: 'postgres',
    breaks: ['I22'],
  },
  {
    title: 'trusts a standby that lacks what workers saw committed',
    file: 'src/sending/history-watch.js',
    find: 'await this.findForgotten(testimony)',
    replace: 'null',
    only: ['F25'],
    store: 'postgres',
    breaks: ['I2'],
  },
  {
    title: 'holds nothing in a database that is restored from a copy',
    file: 'src/sending/history-watch.js',
    find: 'await this.hold();',
    replace: 'null;',
    only: ['F30'],
    store: 'postgres',
    breaks: ['I2', 'I23'],
  },
  {
    title: 'leaves the old primary running when its standby is promoted',
    isUnfenced: true,
    only: ['F25'],
    store: 'postgres',
    breaks: ['I1'],
  },
  {
    title: 'claims without compare-and-set',
    file: 'src/messages/rows/message-claims.statements.js',
    find: "{ byIndex: `m.status = 'queued'`, byId: `${unindexed('m.status')} = 'queued'` }",
    replace: "{ byIndex: `m.status in ('queued', 'sending')`, byId: 'true' }",
    only: ['F8'],
    store: 'postgres',
    breaks: ['I2'],
  },
  {
    title: 'sends again after a time-out',
    file: 'src/sending/retry-policy.js',
    find: "return { status: 'unconfirmed', failure: null, retryInMs: null, trouble: null };",
    replace: "return { status: 'queued', failure: null, retryInMs: 250, trouble: null };",
    only: ['F9'],
    store: 'postgres',
    breaks: ['I2'],
  },
  {
    title: 'takes whatever is uncertain for sent',
    file: 'src/sending/retry-policy.js',
    find: "return { status: 'unconfirmed', failure: null, retryInMs: null, trouble: null };",
    replace: "return { status: 'sent', failure: null, retryInMs: null, trouble: null };",
    only: ['F9'],
    store: 'redis',
    breaks: ['I3'],
  },
  {
    title: 'queues again what a killed worker had in hand',
    file: 'src/messages/rows/message-endings.statements.js',
    find: "enterStatusSql({ status: 'unconfirmed', source: 'recovery', where: isOver })",
    replace: "enterStatusSql({ status: 'queued', source: 'recovery', where: isOver })",
    only: ['F1'],
    dose: 2,
    store: 'redis',
    breaks: ['I4'],
  },
  {
    title: 'never ends a lease',
    file: 'src/sending/recovery.js',
    find: "this.every(overEveryMs, 'leases', () => this.endLeases());",
    replace: '',
    only: ['F1'],
    dose: 2,
    store: 'postgres',
    breaks: ['I1'],
  },
  {
    title: 'does not look for due rows',
    file: 'src/sending/recovery.js',
    find: "this.every(dueEveryMs, 'due rows', () => this.claimDueRows());",
    replace: '',
    only: ['F6'],
    store: 'redis',
    breaks: ['I1'],
  },
  {
    title: 'stays with a Redis master that is silent when Sentinel has named another',
    file: 'src/hints/redis.js',
    find: 'failoverDetector: true',
    replace: 'failoverDetector: !url',
    only: ['F23'],
    store: 'redis',
    breaks: ['I1'],
  },
  {
    title: 'does not withdraw what it answered 503',
    file: 'src/messages/acceptance/message-acceptance.js',
    find: 'void this.withdrawal.withdraw(message);',
    // Still a statement: otherwise the next one would become the body of the condition.
    replace: 'void message;',
    only: ['F5'],
    dose: 2,
    store: 'postgres',
    breaks: ['I4'],
  },
  {
    title: 'commits without waiting for the disk',
    file: 'src/database/hot-statements.js',
    find: "'-c plan_cache_mode",
    replace: "'-c synchronous_commit=off -c plan_cache_mode",
    only: ['F4'],
    store: 'postgres',
    breaks: ['I1', 'I2'],
  },
  {
    title: 'stores a repeated request again',
    file: 'src/messages/acceptance/accept-messages.statements.js',
    find: 'and (key is null or id in (select message_id from new_keys))',
    replace: '',
    only: ['F11'],
    store: 'postgres',
    breaks: ['I6'],
  },
  {
    title: 'lets reports move a status back',
    file: 'src/messages/rows/status-reports.statements.js',
    find: "coalesce(m.receipt, 'delivered')",
    replace: "'delivered'",
    only: ['F10'],
    store: 'postgres',
    breaks: ['I3'],
  },
  {
    title: 'does not tell of a report that was overtaken',
    file: 'src/messages/rows/status-reports.statements.js',
    find: '.entered::int & case',
    replace: ".entered::int & case when ${row}.receipt = 'read' then 0",
    only: ['F17'],
    store: 'postgres',
    breaks: ['I8'],
  },
  {
    title: 'sends to the user id that the caller gave, whatever has replaced it',
    file: 'src/contacts/contact-of-message.js',
    find: 'case when ${row}.recipient is null then (',
    replace: 'case when false then (',
    only: ['F18'],
    store: 'postgres',
    breaks: ['I13'],
  },
  {
    title: 'fails a message without its fallback',
    file: 'src/messages/rows/fallback-rows.js',
    find: 'c where c.is_replaced order by',
    replace: 'c where c.is_replaced and random() < 0.8 order by',
    only: ['F19'],
    store: 'postgres',
    breaks: ['I14'],
  },
  {
    title: 'claims for recipients who have opted out',
    file: 'src/messages/rows/message-claims.statements.js',
    find: "const isWanted = `${optOutOf('m')} is null`;",
    replace: "const isWanted = 'true';",
    only: ['F20'],
    store: 'postgres',
    breaks: ['I15'],
  },
  {
    title: 'leaves what is queued when its recipient opts out',
    file: 'src/consents/consent-changes.js',
    find: 'contactIds.length === 0',
    replace: 'contactIds.length >= 0',
    only: ['F20'],
    dose: 2,
    store: 'redis',
    breaks: ['I15'],
  },
  {
    title: 'shows events of a feed before earlier ones are committed',
    file: 'src/events/event-feed.statements.js',
    find: 'and f.xid < pg_snapshot_xmin(pg_current_snapshot()) and f.id > :idAfter',
    replace: 'and f.id > :idAfter',
    only: ['F21'],
    dose: 2,
    store: 'postgres',
    breaks: ['I16'],
  },
  {
    title: 'posts on while nothing is settled',
    file: 'src/deliveries/deliverer.js',
    find: 'inFlight() < bound',
    replace: 'bound > 0',
    only: ['F14'],
    store: 'postgres',
    breaks: ['I8'],
  },
  {
    title: 'leaves the endpoints of a dead worker alone',
    file: 'src/deliveries/leases/endpoint-leases.statements.js',
    find: '.until <= clock_timestamp()',
    replace: ".until = '-infinity'",
    only: ['F15'],
    store: 'postgres',
    breaks: ['I8'],
  },
  {
    title: 'applies a report without its event',
    file: 'src/messages/rows/status-reports.statements.js',
    find: 'on m.steps & s.bit <> 0',
    replace: 'on false',
    only: ['F12'],
    store: 'postgres',
    breaks: ['I8'],
  },
  {
    title: 'believes forged webhooks',
    file: 'libs/whatsapp/signature.js',
    find: 'return timingSafeEqual(hmac.digest(), digest);',
    replace: 'return digest.length === 32;',
    only: ['F10'],
    store: 'redis',
    breaks: ['I5'],
  },
  {
    title: 'does not count the minute',
    file: 'src/quota/redis-quota-store.js',
    find: "local minute_used = tonumber(redis.call('GET', minute_key) or 0)",
    replace: 'local minute_used = 0',
    only: ['F16'],
    store: 'redis',
    breaks: ['I9'],
  },
  {
    title: 'goes by keys as they were',
    file: 'src/auth/api-key.guard.js',
    find: 'taken.accountVersion !== key.accountVersion',
    replace: 'false',
    only: ['F16'],
    store: 'postgres',
    breaks: ['I10'],
  },
  {
    title: 'logs events as delivered that it never posted',
    file: 'src/deliveries/attempts/delivery-attempts.js',
    find: 'await this.client.post(url, traced, event.body, mayWrite)',
    replace:
      '{ statusCode: 200, response: "", error: null, retryAfterSeconds: null, durationMs: 1 }',
    only: ['F12'],
    store: 'postgres',
    breaks: ['I8'],
  },
  {
    title: 'applies one of two reports of a message',
    file: 'src/messages/rows/status-reports.js',
    find: 'into.reported |= bits[status];',
    replace: 'into.reported = bits[status];',
    only: ['F10'],
    store: 'postgres',
    breaks: ['I5', 'I3'],
  },
  {
    title: 'renews a lease that another worker has taken',
    file: 'src/deliveries/leases/endpoint-leases.statements.js',
    find: 'and l.term = t.term\n    returning l.endpoint_id',
    replace: 'returning l.endpoint_id',
    only: ['F3'],
    store: 'postgres',
    breaks: ['I8'],
  },
  {
    title: 'redelivers a copy',
    file: 'src/deliveries/redelivery.statements.js',
    find: 'delete from done_events where id = :id returning *',
    replace: 'select * from done_events where id = :id',
    only: ['F3'],
    store: 'redis',
    breaks: ['I8'],
  },
  {
    title: 'logs whom it writes to',
    file: 'src/sending/message-sending.js',
    find: 'this.logger.debug({\n            message_id: message.id,',
    replace: 'this.logger.info({\n            to: message.payload,',
    only: ['F11'],
    store: 'redis',
    breaks: ['I11'],
  },
  {
    title: 'reads what receivers answer to the end',
    file: 'src/deliveries/attempts/webhook-client.js',
    find: 'this.bytes < responseMaxBytes',
    replace: 'this.bytes > 0',
    only: ['F26'],
    store: 'postgres',
    breaks: ['I18'],
  },
];

/** Longer than a lease; what has not come to rest by then never will. */
const restMs = 45_000;

/**
 * How often a fault is played that was not found. Some show only where a kill falls into a few
 * milliseconds; the full form of chaos kills a hundred times, the short one a few times.
 */
const playsMax = 4;

/** Played beside each other: most of the time goes into waiting. */
const besideEachOther = 2;

/**
 * Plants each fault in a copy of the build, and plays what must show it: checks that find nothing
 * here prove nothing elsewhere.
 * @returns how many were not found.
 */
export async function playPlanted(
  stores: readonly Store[],
  { seed, only }: Pick<ChaosOptions, 'seed' | 'only'>,
  say: Say,
): Promise<number> {
  const waiting = plantedFaults.filter(
    (fault) =>
      stores.includes(fault.store) &&
      (only.length === 0 || fault.only.some((id) => only.includes(id))),
  );
  let missed = 0;
  await Promise.all(
    Array.from({ length: besideEachOther }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (!(await isFound(next, seed, say))) missed += 1;
      }
    }),
  );
  return missed;
}

/** Plays a fault, with another seed each time, until one of its invariants breaks. */
async function isFound(fault: PlantedFault, seed: number, say: Say): Promise<boolean> {
  const { title, breaks } = fault;
  for (let play = 1; play <= playsMax; play += 1) {
    const violations = await violationsOf(fault, seed + play - 1).catch((error: Error) => [
      error.message,
    ]);
    const shown = violations.find((violation) =>
      breaks.some((invariant) => violation.startsWith(`${invariant} `)),
    );
    if (shown) {
      say(`found${play > 1 ? ` in play ${play}` : ''}: ${title}: ${shown}`);
      return true;
    }
    const others = violations.slice(0, 3).join('; ');
    say(`not found in play ${play}: ${title}: no ${breaks.join(' or ')}; ${others}`);
  }
  say(`NOT FOUND: ${title}`);
  return false;
}

async function violationsOf(fault: PlantedFault, seed: number): Promise<string[]> {
  const root = plant(fault);
  try {
    const { store, only, dose = 1, isUnfenced = false } = fault;
    const isFenced = !isUnfenced;
    const options = { seed, form: 'short', dose, only, root, restMs, isFenced } as const;
    const outcomes = await playStore(store, options, () => {});
    return [...outcomes.values()].flatMap(({ violations }) => violations);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** A checkout whose build has the fault. */
function plant({ title, file = '', find, replace = '' }: PlantedFault): string {
  const root = mkdtempSync(join(tmpdir(), 'parley-planted-'));
  for (const entry of [
    'dist',
    'scripts',
    'package.json',
    'docs/openapi.json',
    'docs/openapi.dashboard.json',
    'vendor',
  ]) {
    cpSync(join(checkout, entry), join(root, entry), { recursive: true });
  }
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'));
  if (find === undefined) return root;
  const path = join(root, 'dist/modules', file);
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) {
    throw new Error(
      `"${title}" cannot be planted: dist/modules/${file} has ${parts.length - 1} × ${find}`,
    );
  }
  writeFileSync(path, parts.join(replace));
  for (const program of ['src/main.js', 'src/worker.js']) {
    writeFileSync(
      join(root, 'dist', program),
      `import '${join(root, 'dist/modules', program)}';\n`,
    );
  }
  return root;
}
