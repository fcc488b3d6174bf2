import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityManager } from 'typeorm';

type Work = (manager: EntityManager) => Promise<unknown>;

/** The transaction that the running code is part of. Work that outlives its transaction is part of none. */
const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();

/** @throws while the running code is part of a transaction of a data source that is held to one connection. */
export function refuseSecondConnection(): void {
  if (!transactions.getStore()?.isOpen) return;
  throw new Error(
    'Code in a transaction asks for a second connection. Enough of them at once have all connections and wait for ' +
      'each other. Pass the manager of the transaction on, or do this before the transaction or after it.',
  );
}

/**
 * From now on, code in a transaction is refused a second connection. Tests run like this; see
 * docs/adr/0018-one-connection.md. It follows each promise, which is too much work for production.
 */
export function holdToOneConnection(dataSource: DataSource): void {
  const { manager } = dataSource;
  const transaction = manager.transaction.bind(manager) as (
    ...given: unknown[]
  ) => Promise<unknown>;
  const createQueryRunner = dataSource.createQueryRunner.bind(dataSource);
  // Code that does not use the manager of its transaction gets its connection here.
  dataSource.createQueryRunner = (mode) => {
    refuseSecondConnection();
    return createQueryRunner(mode);
  };
  const held = async (...given: unknown[]) => {
    // A data source passes both parameters on, and the second is the work only where the first is a level of isolation.
    const [work, ...isolation] = given.filter((each) => each !== undefined).toReversed();
    const state = { isOpen: true };
    const run = (own: EntityManager) => transactions.run(state, () => (work as Work)(own));
    try {
      return await transaction(...isolation, run);
    } finally {
      state.isOpen = false;
    }
  };
  manager.transaction = held;
}
