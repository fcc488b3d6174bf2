import type { TestingModule } from '@nestjs/testing';
import { ReplayMarks } from '../../src/auth/replay-marks.js';
import { newId } from '../../src/database/ids.js';
import { openModule } from '../support/module.js';
import { MortalPostgres } from '../support/mortal-postgres.js';
import { until } from '../support/until.js';

describe('a signature that was used before a standby was promoted', () => {
  let postgres: MortalPostgres;
  let process: TestingModule;

  beforeAll(async () => {
    postgres = await MortalPostgres.start();
    process = await openModule({ databaseUrl: postgres.url, providers: [ReplayMarks] });
  });

  afterAll(async () => {
    await process?.close();
    await postgres?.stop();
  });

  it('is refused, though the standby may not have heard of it', async () => {
    const marks = process.get(ReplayMarks);
    const fingerprint = Buffer.from('used');
    const used = { apiKeyId: newId(), fingerprint, timestamp: Math.floor(Date.now() / 1_000) };
    expect(await marks.mark(used)).toBe(true);
    await postgres.sql('delete from replay_marks');

    await postgres.startNewTimeline();
    // The first tries may still find connections that went with the server.
    const mark = () => marks.mark(used).catch(() => null);
    const answer = await until(async () => {
      const isMarked = await mark();
      return isMarked === null ? null : { isMarked };
    });
    expect(answer).toEqual({ isMarked: false });
    const now = () => ({ ...used, timestamp: Math.floor(Date.now() / 1_000) });
    await until(() => marks.mark(now()).catch(() => false));
  });
});
