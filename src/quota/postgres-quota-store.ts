import type { DataSource } from 'typeorm';
import type { HotStatements } from '../database/hot-statements.js';
import * as sql from './postgres-quota-store.statements.js';
import {
  type DayAnswer,
  type DayRequest,
  type MinuteUnits,
  type QuotaAnswer,
  type QuotaRequest,
  QuotaStore,
} from './quota-store.js';

/** Minutes in an unlogged table, days in a logged one, each taken by one function. */
export class PostgresQuotaStore extends QuotaStore {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
  ) {
    super();
  }

  async takeUnits(requests: readonly QuotaRequest[]): Promise<QuotaAnswer[]> {
    // Sorted, so that two processes lock the counters in the same order.
    const input = sql.minuteInput.valuesOf(requests.toSorted(byKey));
    const rows = await sql.takeMinute.rows(this.statements, input);
    return inOrder(requests, rows);
  }

  async giveBackMinute(units: readonly MinuteUnits[]): Promise<void> {
    const input = sql.unitInput.valuesOf(units.toSorted(byKey));
    await sql.giveBackMinute.run(this.dataSource, input);
  }

  async takeDay(requests: readonly DayRequest[]): Promise<DayAnswer[]> {
    const input = sql.dayInput.valuesOf(requests.toSorted(byKey));
    const rows = await sql.takeDay.rows(this.statements, input);
    return inOrder(requests, rows);
  }

  /** Does nothing, like the two below: the function reads days and versions where they are written. */
  async publishDays(): Promise<void> {}

  async checkPublishing(): Promise<void> {}

  async publishVersion(): Promise<void> {}

  async close(): Promise<void> {}
}

type OfKey = { readonly apiKeyId: string };

const byKey = (a: OfKey, b: OfKey) => (a.apiKeyId < b.apiKeyId ? -1 : 1);

/** The answers in the order of the requests. */
function inOrder<Answer extends OfKey>(
  requests: readonly OfKey[],
  answers: readonly Answer[],
): Answer[] {
  const answerOf = new Map(answers.map((answer) => [answer.apiKeyId, answer]));
  return requests.map(({ apiKeyId }) => {
    const answer = answerOf.get(apiKeyId);
    if (!answer) throw new Error('the quota function left out a key');
    return answer;
  });
}
