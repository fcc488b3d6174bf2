import type { ChaosInstallation } from './installation.js';
import { readLedger } from './judgement.js';

/** Messages a second that the number of the campaigns to people may send. */
export const numberPace = 40;

/** What a campaign may be ahead of its own pace in one second; see `catchUp` in campaign-release.statements.ts. */
const aheadShare = 0.2;

/** Somebody whom a campaign may name in two ways. */
export interface Person {
  readonly phone: string;
  readonly userId: string;
  /** Listed by number and by user id, before Parley knows that they are one. */
  readonly isListedTwice: boolean;
  readonly hasOptedOut: boolean;
  /** WhatsApp refuses the first message to them. */
  readonly isRefused: boolean;
}

/** What was played, and is judged when everything has come to rest. */
export interface PlayedPeople {
  readonly accountId: string;
  readonly persons: readonly Person[];
  /** The campaign and its retry. */
  readonly family: readonly string[];
  readonly paused: { readonly from: string; readonly to: string };
}

/** Each person got one message at most, and nobody was left out but those who had opted out. */
export async function judgePersons(
  chaos: ChaosInstallation,
  { persons, family }: PlayedPeople,
): Promise<string[]> {
  const rows = await chaos.postgres.sql<{
    recipient: string | null;
    to_user_id: string | null;
    status: string;
    reason: string | null;
    message_id: string | null;
  }>(
    `select recipient, to_user_id, status, reason, message_id from campaign_recipients where campaign_id = any ($1)`,
    [family],
  );
  const received = await readLedger(chaos);
  return persons.flatMap(({ phone, userId, hasOptedOut, isListedTwice }) => {
    const own = rows.filter((row) => row.recipient === phone || row.to_user_id === userId);
    const times = own.reduce((sum, row) => sum + (received.get(row.message_id ?? '') ?? 0), 0);
    const isReleased = own.some(({ status }) => status === 'released');
    const reasons = own.map(({ reason }) => reason);
    return [
      ...(times > 1 ? [`I22 ${phone} got ${times} messages of a campaign and its retries`] : []),
      ...(hasOptedOut && isReleased ? [`I22 ${phone} was released after the opt-out`] : []),
      ...(!hasOptedOut && !isReleased ? [`I22 ${phone} was left out: ${reasons.join()}`] : []),
      ...(isListedTwice && !hasOptedOut && !reasons.includes('duplicate')
        ? [`I22 ${phone} and ${userId} are one, and none is a duplicate`]
        : []),
    ];
  });
}

/** The pace of each campaign in any second, and that of the number after a pause. */
export async function judgePace(
  chaos: ChaosInstallation,
  { accountId, family, paused }: PlayedPeople,
): Promise<string[]> {
  const fast = await chaos.postgres.sql<{ name: string; per_second: number; most: number }>(
    `select c.name, c.per_second, max(o.count)::int as most from campaigns c cross join lateral (
       select count(*) over (order by r.released_at range between current row and interval '999 milliseconds' following)
       from campaign_recipients r where r.campaign_id = c.id and r.released_at is not null) o
     where c.account_id = $1 and c.per_second is not null group by c.id`,
    [accountId],
  );
  const [late] = await chaos.postgres.sql<{ count: number }>(
    `select count(*)::int from messages
     where campaign_id = $1 and attempt = 1 and sending_at between $2::timestamptz and $3::timestamptz`,
    [family[0], paused.from, paused.to],
  );
  const most = 2 * numberPace;
  return [
    ...fast
      .filter((one) => one.most > Math.ceil(one.per_second * (1 + aheadShare)) + 1)
      .map((one) => `I22 ${one.name} released ${one.most} in a second, at ${one.per_second}`),
    ...((late?.count ?? 0) > most ? [`I22 ${late?.count} went out after a pause`] : []),
  ];
}

/** Nothing before its time, and nothing after its end. */
export async function judgeTimes(chaos: ChaosInstallation, later: string): Promise<string[]> {
  const early = await chaos.postgres.sql(
    `select from campaigns c join campaign_recipients r on r.campaign_id = c.id
     where c.id = $1 and r.released_at < c.send_at`,
    [later],
  );
  const late = await chaos.postgres.sql<{ id: string }>(
    `select id from messages where sending_at > expires_at + interval '1 second'`,
  );
  return [
    ...(early.length > 0 ? [`I22 ${early.length} were released before send_at`] : []),
    ...late.map(({ id }) => `I22 ${id} was tried after expires_at`),
  ];
}

/** A key with 60 units a day has 54 of them for campaigns. */
export async function judgeDay(chaos: ChaosInstallation, keyId: string): Promise<string[]> {
  const [row] = await chaos.postgres.sql<{ count: number }>(
    'select count(*)::int from messages where api_key_id = $1',
    [keyId],
  );
  const count = row?.count ?? 0;
  return count > 54 || count === 0 ? [`I22 a key with 54 units had ${count} messages`] : [];
}
