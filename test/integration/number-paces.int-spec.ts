import type { TestingModule } from '@nestjs/testing';
import { NumberPaces } from '../../src/quota/number-paces.js';
import { QuotaModule } from '../../src/quota/quota.module.js';
import { addAccount } from '../support/api-keys.js';
import { TestDatabase } from '../support/database.js';
import { openModule } from '../support/module.js';

describe('the paces of numbers', () => {
  let database: TestDatabase;
  let processes: TestingModule[];
  let one: NumberPaces;
  let other: NumberPaces;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    const open = () => openModule({ databaseUrl: database.url, imports: [QuotaModule] });
    processes = [await open(), await open()];
    [one, other] = processes.map((process) => process.get(NumberPaces, { strict: false })) as [
      NumberPaces,
      NumberPaces,
    ];
  });

  afterAll(async () => {
    for (const process of processes) await process.close();
    await database.drop();
  });

  async function addNumber(perSecond: number | null): Promise<string> {
    const id = await addAccount(database);
    await database.sql('update accounts set messages_per_second = $1 where id = $2', [
      perSecond,
      id,
    ]);
    return id;
  }
  const tokensOf = async (id: string) => {
    const [row] = await database.sql('select tokens from pace_buckets where account_id = $1', [id]);
    return row?.tokens;
  };

  it('give one token at once, also to a number that has had none, and say how long the next one takes', async () => {
    const id = await addNumber(1);
    expect(await one.takeToken(id)).toBe(0);
    await database.sql(`update pace_buckets set at = now() + interval '1 hour'`);
    expect(await one.takeToken(id)).toBe(1_000);
    await database.sql(`update pace_buckets set at = now() - interval '1 second'`);
    expect(await one.takeToken(id)).toBe(0);
  });

  it('are shared by all processes', async () => {
    const id = await addNumber(1);
    // So slow that nothing comes back meanwhile.
    await database.sql(
      'update accounts set learnt_per_second = 0.0001, learnt_at = now() where id = $1',
      [id],
    );
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other).takeToken(id)),
    );
    expect(answers.filter((waitMs) => waitMs === 0)).toHaveLength(1);
  });

  it('hold a quarter of a second’s worth, however long the number was quiet', async () => {
    const id = await addNumber(40);
    await one.takeToken(id);
    expect(await tokensOf(id)).toBe(9);
    await database.sql(`update pace_buckets set at = at - interval '1 hour'`);
    await one.takeToken(id);
    expect(await tokensOf(id)).toBeCloseTo(9, 1);
  });

  it('limit no number without a pace', async () => {
    const id = await addNumber(null);
    expect(await one.takeToken(id)).toBe(0);
    expect(await tokensOf(id)).toBeUndefined();
  });
});
