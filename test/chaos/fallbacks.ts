import { addTemplates } from './approved-templates.js';
import type { ChaosInstallation, FaultContext } from './installation.js';

const fallback = { template_name: 'hello', language: 'en_US', components: [] };

/** WhatsApp refuses buttons to the first of these at once, to the second by webhook, twice; the third gets them. */
const numbers = ['+493175', '+493176', '+493177'] as const;

interface PairRow {
  readonly id: string;
  readonly status: string;
  readonly wants_fallback: boolean;
  readonly fallback_message_id: string | null;
  readonly fallback_for: string | null;
}

/** WhatsApp finds windows closed while processes are killed. */
export async function refuseOutsideWindow({ chaos, times, phase }: FaultContext): Promise<void> {
  await addTemplates(chaos);
  const rule = (to: string, fault: unknown) =>
    chaos.stack.rules.add({ match: { to: `${to}*`, type: 'interactive' }, fault });
  await rule(numbers[0], { code: 131047 });
  await rule(numbers[1], { failed: 131047 });
  await rule(numbers[1], 'statuses-twice');
  const load = chaos.load('F19-window', {
    recipientOf: (sequence) => `${numbers[sequence % 3]}${String(sequence).padStart(5, '0')}`,
    content: { fallback },
  });
  for (let kill = 0; kill < times; kill += 1) {
    await chaos.accepts(load, 20);
    await chaos.killOne(phase);
  }
  await chaos.accepts(load, 20);
  await load.stop();
  await chaos.ready();
  phase.afterwards.push(() => findUnpaired(chaos));
}

async function findUnpaired(chaos: ChaosInstallation): Promise<string[]> {
  const rows = await chaos.postgres.sql<PairRow>(
    `select id, coalesce(receipt, status) as status, fallback_message_id, fallback_for,
       fallback is not null and status = 'failed' and error->>'platformCode' = '131047' as wants_fallback
     from messages where reference like 'F19-window-%'`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const accepted = new Map<string, number>();
  for (const entry of await chaos.stack.ledger()) {
    if (entry.type !== 'template' || entry.outcome !== 'accepted') continue;
    const original = byId.get(entry.biz_opaque_callback_data ?? '')?.fallback_for ?? '';
    accepted.set(original, (accepted.get(original) ?? 0) + 1);
  }
  if (!rows.some(({ wants_fallback }) => wants_fallback)) return ['I14 nothing was refused'];
  return rows.flatMap(({ id, status, wants_fallback, fallback_message_id, fallback_for }) => {
    const isMade = fallback_message_id !== null;
    const times = accepted.get(id) ?? 0;
    return [
      ...(wants_fallback === isMade
        ? []
        : [`I14 ${id} ${status}: refused ${wants_fallback}, replaced ${isMade}`]),
      ...(isMade && byId.get(fallback_message_id)?.fallback_for !== id
        ? [`I14 ${id} is replaced by ${fallback_message_id}, which is not there`]
        : []),
      ...(fallback_for !== null && byId.get(fallback_for)?.fallback_message_id !== id
        ? [`I14 ${id} is the fallback of a message that does not know it`]
        : []),
      ...(times > 1 ? [`I14 WhatsApp has ${times} fallbacks of ${id}`] : []),
    ];
  });
}
