import { until } from '../support/until.js';
import { newWamid, notification, notify, textMessage } from '../support/webhooks.js';
import { addTemplates } from './approved-templates.js';
import type { ChaosInstallation, FaultContext } from './installation.js';

const template = { template_name: 'sale', language: 'en_US', components: [] };

/** WhatsApp refuses every message to the first of these for now, so they are queued for a further try. */
const numbers = { busy: '+493178', free: '+493179' } as const;

type Rows = ReadonlyMap<string, Row>;

interface Row {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly attempt: number;
}

/** What the database had for a recipient before its opt-out, and once it was committed. */
interface OptOut {
  readonly recipient: string;
  readonly before: Rows;
  readonly after: Rows;
}

type Way = (chaos: ChaosInstallation, recipient: string) => Promise<unknown>;

/** How users opt out; each resolves when the word of it is taken. */
const ways: readonly Way[] = [putOptOut, writeStop, chooseStop];
const perRound = ways.length * 2;

const isBusy = (sequence: number) => sequence % 2 === 0;

/** The recipient with this number; those with an even one are busy. */
function recipientAt(index: number): string {
  return `${isBusy(index) ? numbers.busy : numbers.free}${String(index).padStart(5, '0')}`;
}

/** Users opt out of templates that are accepted, queued and sent to them meanwhile, and processes are killed. */
export async function optOut({ chaos, times, phase }: FaultContext): Promise<void> {
  await chaos.ready();
  await addTemplates(chaos);
  await setKeywords(chaos, { out: ['stop'], in: [] });
  const busy = { to: `${numbers.busy}*` };
  // Long enough that some are being sent when the opt-out comes.
  await chaos.stack.rules.add({ match: busy, fault: { delay_ms: 300 } });
  await chaos.stack.rules.add({ match: busy, fault: { code: 131056 } });
  let round = 0;
  const load = chaos.load('F20-opt-outs', {
    // Every fourth goes to somebody who has opted out.
    recipientOf: (sequence) => {
      const back = Math.floor(sequence / perRound) % 4 === 3 ? 1 : 0;
      const of = Math.max(0, Math.min(round, times - 1) - back);
      return recipientAt(of * perRound + (sequence % perRound));
    },
    template,
    waits: (sequence) => !isBusy(sequence),
  });
  const optOuts: OptOut[] = [];
  for (; round < times; round += 1) {
    await chaos.ready();
    await chaos.accepts(load, 40);
    const recipients = Array.from({ length: perRound }, (_, index) =>
      recipientAt(round * perRound + index),
    );
    const busyOnes = recipients.filter((_, index) => isBusy(index));
    await until(() => arePutOff(chaos, busyOnes));
    const stopped = recipients.map(async (recipient, index) => {
      const before = await rowsTo(chaos, recipient);
      await ways[Math.floor(index / 2)]?.(chaos, recipient);
      await isCommitted(chaos, recipient);
      optOuts.push({ recipient, before, after: await rowsTo(chaos, recipient) });
    });
    await Promise.all([chaos.killOne(phase), ...stopped]);
  }
  phase.sent.push(...(await load.stop()));
  await chaos.ready();
  await setKeywords(chaos, null);
  phase.afterwards.push(() => findUnwanted(chaos, optOuts));
}

async function setKeywords(chaos: ChaosInstallation, keywords: object | null): Promise<void> {
  const { accounts } = await chaos.operator.get('GET', '/accounts');
  await chaos.operator.get('PATCH', `/accounts/${accounts[0].id}`, { keywords });
}

/** An answer that was lost proves nothing: only 200 does. */
async function putOptOut({ stack }: ChaosInstallation, phone: string): Promise<void> {
  const body = { phone, scope: 'all', state: 'opted_out' };
  let tries = 0;
  await until(async () => {
    tries += 1;
    const options = { method: 'PUT', body, api: tries % stack.apis.length };
    return (await stack.request('/contacts/consent', options).catch(() => null))?.status === 200;
  });
}

function writeStop(chaos: ChaosInstallation, phone: string): Promise<void> {
  const message = textMessage({ from: phone.slice(1), id: newWamid(), text: { body: 'STOP' } });
  return tell(chaos, notification({ messages: [message] }));
}

function chooseStop(chaos: ChaosInstallation, phone: string): Promise<void> {
  const preference = {
    wa_id: phone.slice(1),
    detail: 'User requested to stop marketing messages',
    category: 'marketing_messages',
    value: 'stop',
    timestamp: Math.floor(Date.now() / 1_000),
  };
  const body = notification({ user_preferences: [preference] });
  for (const change of body.entry[0]?.changes ?? []) change.field = 'user_preferences';
  return tell(chaos, body);
}

/** WhatsApp repeats what is not answered by 200. */
async function tell({ stack }: ChaosInstallation, body: object): Promise<void> {
  await until(async () => (await notify(stack, body).catch(() => null))?.status === 200);
}

/** Resolves when the opt-out is committed, and every claim that began before it is over: such a one may still send. */
async function isCommitted({ postgres }: ChaosInstallation, phone: string): Promise<void> {
  await until(async () => {
    const found = await postgres.sql(
      `select 1 from contacts where phone = $1 and mode = 'live' and opted_out is not null`,
      [phone],
    );
    return found.length > 0;
  });
  const running = `select l.virtualtransaction as id from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'virtualxid' and l.pid <> pg_backend_pid() and a.backend_type = 'client backend'`;
  const earlier = (await postgres.sql<{ id: string }>(running)).map(({ id }) => id);
  await until(async () => {
    const left = await postgres.sql(`select 1 from (${running}) r where id = any ($1)`, [earlier]);
    return left.length === 0;
  });
}

async function rowsTo({ postgres }: ChaosInstallation, recipient: string): Promise<Rows> {
  const rows = await postgres.sql<Row>(
    `select id, coalesce(receipt, status) as status, error->>'reason' as reason, attempt
     from messages where recipient = $1 and type = 'template'`,
    [recipient],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether each has a message that waits for some seconds. */
async function arePutOff(
  { postgres }: ChaosInstallation,
  recipients: readonly string[],
): Promise<boolean> {
  const found = await postgres.sql(
    `select distinct recipient from messages
     where recipient = any ($1) and status = 'queued' and attempt >= 2`,
    [recipients],
  );
  return found.length === recipients.length;
}

const isStopped = (row: Row | undefined) => row?.status === 'failed' && row.reason === 'opted_out';

async function findUnwanted(
  chaos: ChaosInstallation,
  optOuts: readonly OptOut[],
): Promise<string[]> {
  const violations: string[] = [];
  let stopped = 0;
  for (const { recipient, before, after } of optOuts) {
    const tries = new Map<string, number>();
    for (const { biz_opaque_callback_data: id } of await chaos.stack.ledger(recipient)) {
      tries.set(id, (tries.get(id) ?? 0) + 1);
    }
    for (const row of (await rowsTo(chaos, recipient)).values()) {
      const { id, status, reason } = row;
      const [early, known] = [before.get(id), after.get(id)];
      const wasQueued = early?.status === 'queued';
      if (wasQueued && isStopped(known)) stopped += 1;
      const is = `${id} to ${recipient}, ${status} ${reason ?? ''}`.trim();
      if (!known) violations.push(`I15 ${is}: accepted after the opt-out`);
      // A try more, and it had been claimed meanwhile.
      if (wasQueued && known?.status === 'queued' && known.attempt === early.attempt) {
        violations.push(`I15 ${is}: queued before the opt-out, and after it`);
      }
      // Where the database was slow, the caller got an error, and the message was withdrawn.
      if (known?.status === 'queued' && !isStopped(row) && reason !== 'withdrawn') {
        violations.push(`I15 ${is}: queued at the opt-out, and not stopped`);
      }
      if ((tries.get(id) ?? 0) > (known?.attempt ?? 0)) {
        violations.push(`I15 ${is}: WhatsApp got it after the opt-out`);
      }
    }
  }
  return stopped === 0 ? [...violations, 'I15 nothing was stopped'] : violations;
}
