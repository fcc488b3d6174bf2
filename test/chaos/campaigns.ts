import { installation } from '../support/installation.js';
import { until } from '../support/until.js';
import { addMapping, addTemplates } from './approved-templates.js';
import { CampaignCalls, clockOf } from './campaign-calls.js';
import { playPeople } from './campaign-people.js';
import type { ChaosInstallation, FaultContext } from './installation.js';
import { readLedger } from './judgement.js';

/** Recipients of each campaign. */
const size = 400;

/**
 * Campaigns run while processes are killed and Redis is emptied: one is paused and resumed until it is completed, one is
 * cancelled in the middle. Each recipient is reached once, and the books agree at every read.
 */
export async function runCampaigns({ chaos, times, phase, load }: FaultContext): Promise<void> {
  await addTemplates(chaos);
  await addMapping(chaos);
  const calls = new CampaignCalls(chaos, installation.apiKey);
  const apart: string[] = [];
  for (let round = 0; round < times; round += 1) {
    const whole = await begin(calls, `7${round}1`);
    const cut = await begin(calls, `7${round}2`);
    const over = new AbortController();
    const reading = readBooks(calls, [whole, cut], over.signal, apart);

    await chaos.killOne(phase);
    await calls.steer(whole, 'pause');
    await calls.steer(cut, 'cancel');
    const cancelledAt = await clockOf(chaos);
    await chaos.flushRedis();
    await chaos.killOne(phase);
    await calls.steer(whole, 'resume');
    await chaos.accepts(load, 20);
    await chaos.killOne(phase);
    await until(async () => (await calls.read(whole))?.status === 'completed', 60_000).catch(() =>
      phase.violations.push('I21 a campaign is not completed after 60 s'),
    );
    over.abort();
    await reading;
    phase.afterwards.push(
      () => judge(chaos, whole, null),
      () => judge(chaos, cut, cancelledAt),
    );
    await playPeople({ chaos, phase, round });
  }
  phase.violations.push(...new Set(apart));
}

/** What is wrong with a campaign that has ended. @param cancelledAt when its cancellation was answered; null if it was not. */
async function judge(
  chaos: ChaosInstallation,
  id: string,
  cancelledAt: string | null,
): Promise<string[]> {
  const rows = await chaos.postgres.sql<{
    recipient: string;
    message_id: string | null;
    messages: string[] | null;
    is_late: boolean | null;
  }>(
    `select r.recipient, r.message_id, array_agg(m.id) as messages,
       bool_or(m.sending_at > $2::timestamptz) as is_late
     from campaign_recipients r
     left join messages m on m.campaign_id = r.campaign_id and m.recipient = r.recipient
     where r.campaign_id = $1 group by 1, 2`,
    [id, cancelledAt],
  );
  const received = await readLedger(chaos);
  const wrong: string[] = [];
  if (rows.length !== size) wrong.push(`I21 ${rows.length} of ${size} recipients are there`);
  for (const { recipient, message_id: messageId, messages, is_late: isLate } of rows) {
    const times = (messages ?? []).reduce((sum, each) => sum + (received.get(each) ?? 0), 0);
    if (times > 1) wrong.push(`I21 ${recipient} got ${times} messages of campaign ${id}`);
    if (cancelledAt === null && messageId === null) wrong.push(`I21 ${recipient} was left out`);
    if (isLate) wrong.push(`I21 ${recipient} was sent a message after the campaign was cancelled`);
  }
  return wrong;
}

async function begin(calls: CampaignCalls, digits: string): Promise<string> {
  const made = await calls.surely('POST', '', {
    name: `Chaos ${digits}`,
    template_name: 'sale',
    language: 'en_US',
    per_second: 60,
  });
  const { id } = made.campaign as { id: string };
  const recipients = Array.from({ length: size }, (_, index) => ({
    to: `+4932${digits}${String(index).padStart(5, '0')}`,
  }));
  await calls.surely('POST', `/${id}/recipients`, { recipients });
  await calls.surely('POST', `/${id}/start`);
  return id;
}

/** Adds up the counts of campaigns until it is told to stop. */
async function readBooks(
  calls: CampaignCalls,
  ids: readonly string[],
  signal: AbortSignal,
  apart: string[],
): Promise<void> {
  while (!signal.aborted) {
    for (const id of ids) {
      const campaign = await calls.read(id);
      if (!campaign) continue;
      const { total, ...counts } = campaign.counts;
      const sum = Object.values(counts).reduce((all, count) => all + count, 0);
      if (sum !== total) apart.push(`I21 the books of campaign ${id} say ${sum} of ${total}`);
    }
  }
}
