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
    const sorted = requests.toSorted((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : 1));
    const rows = await sql.takeMinute.rows(this.statements, {
      apiKeyIds: sorted.map((request) => request.apiKeyId),
      accountIds: sorted.map((request) => request.accountId),
      minuteLimits: sorted.map((request) => request.minuteLimit),
      dayLimits: sorted.map((request) => request.dayLimit),
      counts: sorted.map((request) => request.count),
    });
    return inOrder(requests, rows);
  }

  async giveBackMinute(units: readonly MinuteUnits[]): Promise<void> {
    const sorted = units.toSorted((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : 1));
    await sql.giveBackMinute.run(this.dataSource, {
      apiKeyIds: sorted.map(({ apiKeyId }) => apiKeyId),
      minutes: sorted.map(({ minute }) => minute),
      counts: sorted.map(({ count }) => count),
    });
  }

  async takeDay(requests: readonly DayRequest[]): Promise<DayAnswer[]> {
    const sorted = requests.toSorted((a, b) => (a.apiKeyId < b.apiKeyId ? -1 : 1));
    const rows = await sql.takeDay.rows(this.statements, {
      apiKeyIds: sorted.map((request) => request.apiKeyId),
      dayLimits: sorted.map((request) => request.dayLimit),
      counts: sorted.map((request) => request.count),
    });
    return inOrder(requests, rows);
  }

  /** Does nothing, like the two below: the function reads days and versions where they are written. */
  async publishDays(): Promise<void> {}

  async checkPublishing(): Promise<void> {}

  async publishVersion(): Promise<void> {}

  async close(): Promise<void> {}
}

/** The answers in the order of the requests. */
function inOrder<Answer extends { readonly apiKeyId: string }>(
  requests: readonly { readonly apiKeyId: string }[],
  answers: readonly Answer[],
): Answer[] {
  const byKey = new Map(answers.map((answer) => [answer.apiKeyId, answer]));
  return requests.map(({ apiKeyId }) => {
    const answer = byKey.get(apiKeyId);
    if (!answer) throw new Error('the quota function left out a key');
    return answer;
  });
}
