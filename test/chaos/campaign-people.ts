import { addAccount, addApiKey } from '../support/api-keys.js';
import { installation, secretBox } from '../support/installation.js';
import { until } from '../support/until.js';
import { CampaignCalls, clockOf } from './campaign-calls.js';
import type { ChaosInstallation, FaultContext } from './installation.js';
import {
  judgeDay,
  judgePace,
  judgePersons,
  judgeTimes,
  numberPace,
  type Person,
  type PlayedPeople,
} from './judged-people.js';

/** The campaign with a pace of its own. */
const paced = { perSecond: 10, recipients: 60 };

const personsCount = 400;
const smallCampaigns = 20;

/**
 * A campaign to people who are known by several names, beside many small ones on a number with a pace: lists that are
 * uploaded twice, a template and an example that change, a retry, and a second one that must find nobody.
 */
export async function playPeople({
  chaos,
  phase,
  round,
}: Pick<FaultContext, 'chaos' | 'phase'> & { round: number }): Promise<void> {
  const { accountId, calls } = await addPacedAccount(chaos, 1_000_000);
  const persons = Array.from({ length: personsCount }, (_, index) => personOf(round, index));
  // So that WhatsApp reports of them what Parley learns here.
  await Promise.all(
    persons.map(({ phone, userId }) =>
      chaos.stack.control('PUT', 'users', { phone: phone.slice(1), user_id: userId }),
    ),
  );
  await chaos.stack.rules.add({
    match: { to: `+49331${round % 10}*` },
    fault: { code: 131026 },
    times: persons.filter(({ isRefused, hasOptedOut }) => isRefused && !hasOptedOut).length,
  });

  const id = await draft(calls, { name: `People ${round}`, template_name: changing });
  const phones = persons.map(({ phone }) => ({ to: phone }));
  const twice = persons.filter(({ isListedTwice }) => isListedTwice);
  await calls.surely('POST', `/${id}/recipients`, { recipients: phones }, 'phones');
  const userIds = twice.map(({ userId }) => ({ to_user_id: userId }));
  await calls.surely('POST', `/${id}/recipients`, { recipients: userIds }, 'users');
  await learn(chaos, accountId, twice);
  await calls.surely('POST', `/${id}/recipients`, { recipients: phones }, 'phones again');
  await optOut(
    chaos,
    accountId,
    persons.filter(({ hasOptedOut }) => hasOptedOut),
  );

  const smallOnes: string[] = [];
  for (let index = 0; index < smallCampaigns; index += 1) {
    const small = await draft(calls, { name: `Small ${round} ${index}`, per_second: 1 });
    const recipients = [0, 1, 2].map((nth) => ({ to: `+49332${round % 10}${index}00${nth}0` }));
    await calls.surely('POST', `/${small}/recipients`, { recipients });
    smallOnes.push(small);
  }
  const fast = await draft(calls, { name: `Paced ${round}`, per_second: paced.perSecond });
  await calls.surely('POST', `/${fast}/recipients`, {
    recipients: Array.from({ length: paced.recipients }, (_, index) => ({
      to: `+49335${round % 10}${String(index).padStart(4, '0')}`,
    })),
  });
  for (const each of [id, fast, ...smallOnes]) await calls.steer(each, 'start');
  await setTemplate(chaos, accountId, 'Hello.', 'https://b.example');
  await until(async () => ((await calls.read(id))?.counts.pending ?? 0) < persons.length);
  if ((await calls.read(id))?.reason === 'template_changed') {
    phase.violations.push('I22 a new example has paused the campaign');
  }
  await setTemplate(chaos, accountId, 'Good-bye.', 'https://b.example');
  const changedAt = await clockOf(chaos);
  await calls.becomes(id, 'paused', 'template_changed').catch(async () => {
    // On a busy machine everybody may have been released before.
    const late = await releasedAfter(chaos, id, changedAt);
    if (late > 0) phase.violations.push(`I22 ${late} were released after their template changed`);
  });
  await calls.steer(id, 'resume');
  await calls.steer(id, 'pause');
  const from = await clockOf(chaos);
  await until(async () => (await secondsSince(chaos, from)) > 1.5);
  const to = await clockOf(chaos);
  await chaos.killOne(phase);
  await calls.steer(id, 'resume');
  await chaos.killOne(phase);
  await chaos.flushRedis();
  await calls.becomes(id, 'completed');

  const first = (await calls.surely('POST', `/${id}/retry`, {}, 'first')).campaign as
    | { id: string }
    | undefined;
  await learn(chaos, accountId, persons);
  if (first) {
    await calls.steer(first.id, 'start');
    await calls.becomes(first.id, 'completed');
  }
  const second = await calls.surely('POST', `/${id}/retry`, {}, 'second');
  if (second.campaign) phase.violations.push('I22 a second retry found somebody');
  for (const each of [fast, ...smallOnes]) await calls.becomes(each, 'completed');

  const later = await playSendAt(chaos, calls, round);
  const day = await playDay(chaos, round);
  const played: PlayedPeople = {
    accountId,
    persons,
    family: [id, ...(first ? [first.id] : [])],
    paused: { from, to },
  };
  phase.afterwards.push(
    () => judgePersons(chaos, played),
    () => judgePace(chaos, played),
    () => judgeTimes(chaos, later),
    () => judgeDay(chaos, day),
  );
}

function personOf(round: number, index: number): Person {
  const isRefused = index % 5 === 2;
  const digits = `${round % 10}${String(index).padStart(5, '0')}`;
  return {
    phone: `+4933${isRefused ? 1 : 0}${digits}`,
    userId: `DE.33000000000000${digits}`,
    isListedTwice: index % 3 === 0,
    hasOptedOut: index % 10 === 1,
    isRefused,
  };
}

/** An account whose number has a pace, with a key and a template. */
async function addPacedAccount(
  chaos: ChaosInstallation,
  dailyLimit: number,
): Promise<{ accountId: string; keyId: string; calls: CampaignCalls }> {
  // It becomes active with a sync behind it: a sync would take back what is changed here.
  const accountId = await addAccount(chaos.postgres, { active: false });
  await chaos.postgres.sql(
    `insert into template_syncs (account_id, mode, started_at) values ($1, 'live', now())`,
    [accountId],
  );
  await chaos.postgres.sql(
    `update accounts set messages_per_second = $2, app_secret = $3, active = true
     where id = $1`,
    [
      accountId,
      numberPace,
      secretBox().seal(installation.appSecret, `accounts.app_secret.${accountId}`),
    ],
  );
  const { id: keyId, key } = await addApiKey(chaos.postgres, { accountId, dailyLimit });
  await addTemplates(chaos, accountId, keyId);
  return { accountId, keyId, calls: new CampaignCalls(chaos, key) };
}

/** The template of the campaign to people, and that of all others. */
const [changing, steady] = ['news', 'sale'];

const componentsOf = (text: string, link: string) => [
  { type: 'BODY', text, example: { body_text: [[link]] } },
];

/** Templates of the account, for WhatsApp and for Parley. */
async function addTemplates(
  chaos: ChaosInstallation,
  accountId: string,
  keyId: string,
): Promise<void> {
  const [row] = await chaos.postgres.sql<{ phone_number_id: string; business_account_id: string }>(
    'select phone_number_id, business_account_id from accounts where id = $1',
    [accountId],
  );
  await chaos.stack.control('PUT', 'numbers', { ...row });
  const components = componentsOf('Hello.', 'https://a.example');
  const templates = [changing, steady].map((name) => ({
    name,
    language: 'en_US',
    category: 'MARKETING',
    status: 'APPROVED',
    components,
  }));
  const { business_account_id } = row ?? {};
  await chaos.stack.control('PUT', 'templates', { business_account_id, templates });
  await chaos.postgres.sql(
    `with added as (
       insert into templates (id, account_id, mode, name, language, category, status, parameter_format, components)
       select uuidv7(), $1, 'live', name, 'en_US', 'MARKETING', 'APPROVED', 'POSITIONAL', $4::jsonb
       from unnest($3::text[]) as name returning id)
     insert into template_mappings (api_key_id, template_id, variables) select $2, id, '{}' from added`,
    [accountId, keyId, [changing, steady], JSON.stringify(components)],
  );
}

async function setTemplate(
  chaos: ChaosInstallation,
  accountId: string,
  text: string,
  link: string,
): Promise<void> {
  await chaos.postgres.sql(
    'update templates set components = $2 where account_id = $1 and name = $3',
    [accountId, JSON.stringify(componentsOf(text, link)), changing],
  );
}

async function draft(calls: CampaignCalls, change: object): Promise<string> {
  const given = { template_name: steady, language: 'en_US', ...change };
  return (await calls.surely('POST', '', given, JSON.stringify(change))).campaign.id;
}

/** That each number and user id are one person. */
async function learn(
  chaos: ChaosInstallation,
  accountId: string,
  persons: readonly Person[],
): Promise<void> {
  await chaos.postgres.sql(
    `insert into contacts (id, account_id, mode, phone, user_id)
     select uuidv7(), $1, 'live', t.phone, t.user_id from unnest($2::text[], $3::text[]) as t (phone, user_id)
     where not exists (select from contacts k where k.account_id = $1 and k.phone = t.phone)`,
    [accountId, persons.map(({ phone }) => phone), persons.map(({ userId }) => userId)],
  );
}

async function optOut(
  chaos: ChaosInstallation,
  accountId: string,
  persons: readonly Person[],
): Promise<void> {
  await learn(chaos, accountId, persons);
  await chaos.postgres.sql(
    `update contacts set opted_out = 'all' where account_id = $1 and phone = any ($2)`,
    [accountId, persons.map(({ phone }) => phone)],
  );
}

async function releasedAfter(
  chaos: ChaosInstallation,
  campaignId: string,
  moment: string,
): Promise<number> {
  const [row] = await chaos.postgres.sql<{ count: number }>(
    `select count(*)::int from messages
     where campaign_id = $1 and created_at > $2::timestamptz`,
    [campaignId, moment],
  );
  return row?.count ?? 0;
}

async function secondsSince(chaos: ChaosInstallation, moment: string): Promise<number> {
  const [row] = await chaos.postgres.sql<{ seconds: number }>(
    'select extract(epoch from clock_timestamp() - $1::timestamptz)::float8 as seconds',
    [moment],
  );
  return row?.seconds ?? 0;
}

/** A campaign that waits for its time. @returns its id. */
async function playSendAt(
  chaos: ChaosInstallation,
  calls: CampaignCalls,
  round: number,
): Promise<string> {
  const sendAt = new Date(Date.now() + 120_000).toISOString();
  const id = await draft(calls, { name: `Later ${round}`, send_at: sendAt });
  const recipients = Array.from({ length: 10 }, (_, index) => ({
    to: `+49333${round % 10}0000${index}`,
  }));
  await calls.surely('POST', `/${id}/recipients`, { recipients });
  await calls.steer(id, 'start');
  await chaos.postgres.sql(
    `update campaigns set send_at = clock_timestamp() + interval '2 seconds' where id = $1`,
    [id],
  );
  await calls.becomes(id, 'completed');
  return id;
}

/** A campaign that needs more than its key has of the day. @returns the key's id. */
async function playDay(chaos: ChaosInstallation, round: number): Promise<string> {
  const { calls, keyId } = await addPacedAccount(chaos, 60);
  const id = await draft(calls, { name: `Day ${round}` });
  const recipients = Array.from({ length: 100 }, (_, index) => ({
    to: `+49334${round % 10}${String(index).padStart(4, '0')}`,
  }));
  await calls.surely('POST', `/${id}/recipients`, { recipients });
  await calls.steer(id, 'start');
  await calls.becomes(id, 'paused', 'daily_limit');
  await calls.steer(id, 'cancel');
  return keyId;
}
