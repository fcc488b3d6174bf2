import { setTimeout as pause } from 'node:timers/promises';
import { addApiKey } from '../support/api-keys.js';
import { GraphProgram, graphMessage } from '../support/graph.js';
import type { ChaosInstallation, FaultContext } from './installation.js';

const programs = 12;
const betweenMs = 100;

/** Longer than callers wait here, so that messages end before somebody can send them. */
const workersAwayMs = 4_000;

/** A program gives up after so many answers that invite a repetition. */
const triesMax = 40;

/** What a program wants to send, and what it was told. */
interface Wanted {
  readonly to: string;
  readonly isKeyed: boolean;
  /** WhatsApp's id; null while it has none. */
  wamid: string | null;
  /** Messages of which it was told that they were not sent. */
  readonly notSent: string[];
  /** Whether it was told not to repeat, or lost its connection. */
  isUnknown: boolean;
}

/**
 * Programs send through the routes in the form of WhatsApp's own API, and repeat what invites a repetition; half of them
 * with an idempotency key. All workers are killed and stay away for a while, and APIs are killed.
 */
export async function sendAsPrograms({ chaos, times, phase }: FaultContext): Promise<void> {
  const key = await addApiKey(chaos.postgres);
  await chaos.postgres.sql('update api_keys set graph_access = true where id = $1', [key.id]);
  // Reports would tell in time what became of a message whose worker was killed.
  await chaos.stack.rules.add({ match: { to: '+4932*' }, fault: 'no-statuses' });
  const wanted: Wanted[] = [];
  const over = new AbortController();
  const sending = Array.from({ length: programs }, async (_, number) => {
    while (!over.signal.aborted) {
      const one: Wanted = {
        to: `+4932${String(wanted.length).padStart(7, '0')}`,
        isKeyed: number % 2 === 0,
        wamid: null,
        notSent: [],
        isUnknown: false,
      };
      wanted.push(one);
      await send(chaos, key.key, one);
      await pause(betweenMs);
    }
  });
  for (let round = 0; round < times; round += 1) {
    await pause(1_000);
    await Promise.all(chaos.stack.workers.map((worker) => worker.kill()));
    await pause(workersAwayMs);
    for (const worker of chaos.stack.workers) worker.launch();
    await chaos.ready();
    await pause(1_000);
    const api = chaos.random.pick(chaos.stack.apis);
    await api.kill();
    api.launch();
    await chaos.ready();
  }
  over.abort();
  await Promise.all(sending);
  await chaos.slowPlatform();
  const count = (is: (one: Wanted) => boolean) => wanted.filter(is).length;
  phase.notes.push(
    `${wanted.length} wanted, ${count(({ wamid }) => wamid !== null)} told as sent, ` +
      `${count(({ notSent }) => notSent.length > 0)} told at least once that nothing was sent, ` +
      `${count(({ isUnknown }) => isUnknown)} not known`,
  );
  phase.afterwards.push(() => findDoubled(chaos, wanted));
}

async function send(chaos: ChaosInstallation, token: string, one: Wanted): Promise<void> {
  const program = GraphProgram.of(chaos.stack, token);
  const headers: Record<string, string> = one.isKeyed ? { 'idempotency-key': one.to } : {};
  for (let tries = 0; tries < triesMax; tries += 1) {
    const api = tries % chaos.stack.apis.length;
    const answer = await program.send(graphMessage(one.to), headers, api).catch(refusalOf);
    if (answer === 'refused') {
      await pause(betweenMs * 2);
      continue;
    }
    if (answer?.status === 200) {
      one.wamid = answer.body.messages[0].id;
      return;
    }
    const { is_transient: isTransient, error_data: data } = answer?.body?.error ?? {};
    const [, id] = /not sent (\S+)$/.exec(data?.details ?? '') ?? [];
    if (id) one.notSent.push(id);
    // Without an answer only those with a key may repeat.
    const mayRepeat = answer === null ? one.isKeyed : isTransient === true;
    if (!mayRepeat) {
      one.isUnknown = true;
      return;
    }
    await pause(betweenMs * 2);
  }
  one.isUnknown = true;
}

/** Nothing was sent where nobody listened; null where nobody knows. */
function refusalOf(error: unknown): 'refused' | null {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : null;
  return cause?.code === 'ECONNREFUSED' ? 'refused' : null;
}

/** What WhatsApp has more than once, or not although a program was told so, or although it was told otherwise. */
async function findDoubled(chaos: ChaosInstallation, wanted: readonly Wanted[]): Promise<string[]> {
  const accepted = (await chaos.stack.ledger()).filter(({ outcome }) => outcome === 'accepted');
  const messages = new Set(accepted.map(({ biz_opaque_callback_data: messageId }) => messageId));
  return wanted.flatMap(({ to, wamid, notSent }) => {
    const ids = accepted
      .filter((entry) => `+${entry.to.replace('+', '')}` === to)
      .map(({ id }) => id);
    const wrong = notSent.filter((id) => messages.has(id));
    return [
      ...(ids.length > 1 ? [`I25 ${to} got ${ids.length} messages`] : []),
      ...(wamid !== null && !ids.includes(wamid) ? [`I25 ${to} never got ${wamid}`] : []),
      ...wrong.map(
        (id) => `I25 ${id} to ${to} was sent though its program was told that it was not`,
      ),
    ];
  });
}
