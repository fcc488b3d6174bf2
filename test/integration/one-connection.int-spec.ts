import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { HotStatements } from '../../src/database/hot-statements.js';
import { UserEntity } from '../../src/users/user.entity.js';
import { TestDatabase } from '../support/database.js';
import { openModule } from '../support/module.js';

const refusal = 'asks for a second connection';
const one = { name: 'one', text: 'select 1 as one' };

describe('code in a transaction, in every process of the tests', () => {
  let database: TestDatabase;
  let module: TestingModule;
  let dataSource: DataSource;
  let statements: HotStatements;

  beforeAll(async () => {
    database = await TestDatabase.clone('migrated');
    module = await openModule({ databaseUrl: database.url });
    dataSource = module.get(DataSource);
    statements = module.get(HotStatements);
  });

  afterAll(async () => {
    await module.close();
    await database.drop();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a statement', () => dataSource.query('select 1')],
    ['a repository', () => dataSource.getRepository(UserEntity).find()],
    ['a query builder', () => dataSource.createQueryBuilder(UserEntity, 'u').getMany()],
    ['another transaction', () => dataSource.transaction(async () => {})],
    ['a hot statement', () => statements.runPrepared(one, [])],
    ['a lazy statement', () => statements.lazily.runPrepared(one, [])],
    [
      'work that it does not wait for',
      () => Promise.resolve().then(() => dataSource.query('select 1')),
    ],
  ])('gets no second connection for %s', async (_, ask) => {
    await expect(dataSource.transaction(ask)).rejects.toThrow(refusal);
    await expect(dataSource.transaction('SERIALIZABLE', ask)).rejects.toThrow(refusal);
  });

  it('has the connection of its manager, also for a transaction within it', async () => {
    const answer = await dataSource.transaction(async (manager) => {
      await manager.getRepository(UserEntity).find();
      return manager.transaction((inner) => inner.query('select 1 as one'));
    });
    expect(answer).toEqual([{ one: 1 }]);
  });

  it('gets one again when the transaction has ended, well or badly', async () => {
    let afterwards: Promise<unknown> = Promise.resolve();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const begun = dataSource.transaction(async () => {
      afterwards = ended.then(() => dataSource.query('select 1 as one'));
      throw new Error('a fault');
    });
    await expect(begun).rejects.toThrow('a fault');
    end();
    expect(await afterwards).toEqual([{ one: 1 }]);
  });
});
