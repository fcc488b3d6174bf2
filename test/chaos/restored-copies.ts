import { hourMs } from '#libs/durations';
import { installation } from '../support/installation.js';
import { until } from '../support/until.js';
import { addMapping, addTemplates } from './approved-templates.js';
import { type Campaign, CampaignCalls } from './campaign-calls.js';
import type { ChaosInstallation, FaultContext } from './installation.js';
import { readLedger } from './judgement.js';

/** Recipients of each campaign: more than it reaches until the copy is made. */
const size = 150;
const perSecond = 20;

/** Scheduled messages in one round; every second one is due when the copy is made. */
const scheduledCount = 60;

/** Campaign → recipient → the message that the original had for it. */
type Reached = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * A copy of the database is made in the middle of campaigns and schedules. The original sends on, then the copy takes its
 * place, as docs/backup.md describes it. What the original may have sent meanwhile is held, and the rest goes on.
 */
export async function restoreCopies({ chaos, times, load, phase }: FaultContext): Promise<void> {
  await addTemplates(chaos);
  await addMapping(chaos);
  phase.unconfirmedMax = Number.POSITIVE_INFINITY;
  const calls = new CampaignCalls(chaos, installation.apiKey);
  for (let round = 0; round < times; round += 1) {
    const { due, later } = await schedule({ chaos, phase }, `F30-${round}`);
    const campaigns = [await begin(calls, `8${round}1`), await begin(calls, `8${round}2`)];
    const areAll = async (isSo: (campaign: Campaign) => boolean) => {
      const all = await Promise.all(campaigns.map((id) => calls.read(id)));
      return all.every((campaign) => campaign && isSo(campaign));
    };
    await until(() => areAll(({ counts }) => (counts.pending ?? size) < size - perSecond), 30_000);

    const known = load.sent.length;
    chaos.links.postgres.cut();
    await makeDue(chaos, due);
    await chaos.postgres.copy();
    for (const reference of await mayGoOut(chaos)) phase.mayBeForgotten.add(reference);
    await chaos.links.postgres.join();
    await until(() => areAll(({ status }) => status === 'completed'), 60_000);
    await areOut(chaos, due);
    await chaos.accepts(load, 25);
    const reached = await readReached(chaos, campaigns);

    await Promise.all(chaos.servers.map((server) => server.kill()));
    await chaos.postgres.restoreCopy();
    for (const server of chaos.servers) server.launch();
    await chaos.ready();
    await until(() => areAll(({ reason }) => reason === 'restored'), 60_000).catch(() =>
      phase.violations.push('I23 a campaign goes on by itself in a restored copy'),
    );
    await chaos.accepts(load, 25);
    for (const { reference } of load.sent.slice(known)) phase.mayBeForgotten.add(reference);
    for (const id of campaigns) await calls.steer(id, 'cancel');
    await makeDue(chaos, later);
    await areOut(chaos, later);
    phase.afterwards.push(
      () => findRepeated(chaos, reached),
      () => findLeftOut(chaos, later),
    );
  }
}

/** References of scheduled messages: those that are due by the time of the copy, and those that stay scheduled. */
async function schedule(
  { chaos, phase }: Pick<FaultContext, 'chaos' | 'phase'>,
  name: string,
): Promise<{ due: string[]; later: string[] }> {
  const inAnHour = new Date(Date.now() + hourMs).toISOString();
  const sends = chaos.load(name, { connections: 4, content: { send_at: inAnHour } });
  await chaos.accepts(sends, scheduledCount);
  const sent = await sends.stop();
  phase.sent.push(...sent);
  const references = sent.map(({ reference }) => reference);
  return {
    due: references.filter((_, index) => index % 2 === 0),
    later: references.filter((_, index) => index % 2 === 1),
  };
}

async function begin(calls: CampaignCalls, digits: string): Promise<string> {
  const made = await calls.surely('POST', '', {
    name: `Chaos ${digits}`,
    template_name: 'sale',
    language: 'en_US',
    per_second: perSecond,
  });
  const { id } = made.campaign as { id: string };
  const recipients = Array.from({ length: size }, (_, index) => ({
    to: `+4932${digits}${String(index).padStart(5, '0')}`,
  }));
  await calls.surely('POST', `/${id}/recipients`, { recipients });
  await calls.surely('POST', `/${id}/start`);
  return id;
}

async function makeDue({ postgres }: ChaosInstallation, references: string[]): Promise<void> {
  await postgres.sql(
    `update scheduled_messages set send_at = now(), expires_at = now() + interval '1 hour'
     where reference = any ($1)`,
    [references],
  );
}

/** References of the messages that may go out at any moment. */
async function mayGoOut({ postgres }: ChaosInstallation): Promise<string[]> {
  const rows = await postgres.sql<{ reference: string }>(
    `select reference from messages where status in ('queued', 'sending') and reference is not null
     union all
     select reference from scheduled_messages where send_at <= now() and reference is not null`,
  );
  return rows.map(({ reference }) => reference);
}

/** Resolves once none of these messages waits any longer. */
async function areOut(chaos: ChaosInstallation, references: string[]): Promise<void> {
  await until(async () => {
    const waiting = await mayGoOut(chaos);
    return references.every((reference) => !waiting.includes(reference));
  });
}

async function readReached({ postgres }: ChaosInstallation, campaigns: string[]): Promise<Reached> {
  const rows = await postgres.sql<{ campaign_id: string; recipient: string; message_id: string }>(
    `select campaign_id, recipient, message_id from campaign_recipients
     where campaign_id = any ($1) and message_id is not null`,
    [campaigns],
  );
  const of = (id: string) => rows.filter((row) => row.campaign_id === id);
  return new Map(
    campaigns.map((id) => [id, new Map(of(id).map((row) => [row.recipient, row.message_id]))]),
  );
}

/** Recipients of campaigns who got one message from the original and another one from the copy. */
async function findRepeated(chaos: ChaosInstallation, original: Reached): Promise<string[]> {
  const copy = await readReached(chaos, [...original.keys()]);
  const received = await readLedger(chaos);
  return [...original].flatMap(([campaign, recipients]) =>
    [...recipients].flatMap(([recipient, first]) => {
      const ids = new Set([first, copy.get(campaign)?.get(recipient) ?? first]);
      const times = [...ids].reduce((sum, id) => sum + (received.get(id) ?? 0), 0);
      return times > 1 ? [`I23 ${recipient} got ${times} messages of campaign ${campaign}`] : [];
    }),
  );
}

/** Scheduled messages whose time came after the restore, and which did not go out. */
async function findLeftOut({ postgres }: ChaosInstallation, later: string[]): Promise<string[]> {
  const rows = await postgres.sql<{ reference: string }>(
    `select reference from messages
     where reference = any ($1) and status in ('sent', 'delivered', 'read')`,
    [later],
  );
  const missing = later.length - rows.length;
  return missing === 0 ? [] : [`I23 ${missing} messages of after the restore did not go out`];
}
