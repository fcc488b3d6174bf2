import { type Answer, buttonMessage } from '../support/stack.js';
import type { FaultContext } from './installation.js';
import { recipientOf } from './phase.js';

/** Requests with one key at once. */
const repetitions = 50;

/** Sends the same request many times at once, to both APIs: one key, one message. */
export async function repeatRequests({ chaos, times, phase }: FaultContext): Promise<void> {
  for (let round = 1; round <= times; round += 1) {
    const reference = `F11-key-${round}`;
    const body = buttonMessage({ to: recipientOf(0, round), reference });
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: repetitions }, (_, copy) =>
        chaos.stack.send('button', body, { 'Idempotency-Key': reference }, { api: copy % 2 }),
      ),
    );
    const [first] = answers;
    if (!first) return;
    const { data = null, error = null } = first.body;
    phase.sent.push({
      reference,
      status: first.status,
      data,
      error,
      problem: null,
      retryAfter: first.headers.get('retry-after'),
      durationMs: performance.now() - startedAt,
    });
    const ids = new Set(answers.map(idOf));
    const firsts = answers.filter(({ headers }) => !headers.has('idempotency-replayed'));
    if (ids.size !== 1 || ids.has(null) || firsts.length !== 1) {
      phase.violations.push(
        `I6 ${reference}: ${ids.size} messages (${[...ids].slice(0, 3).join(', ')} …), ${firsts.length} first answers: ${firsts.map((one) => `${one.status} ${one.body.error?.code ?? ''}`).join(', ')}`,
      );
    }
  }
}

function idOf({ body }: Answer): string | null {
  return body?.data?.message_id ?? body?.error?.details?.message_id ?? null;
}
