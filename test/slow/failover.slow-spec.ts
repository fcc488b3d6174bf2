import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions, poolOptions } from '../../src/database/data-source-options.js';
import { DatabaseClient } from '../../src/database/database-client.js';
import { checkDatabase } from '../../src/doctor/database-checks.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { until } from '../support/until.js';

describe('a DATABASE_URL with two servers', () => {
  let postgres: ReplicatedPostgres;
  let pool: pg.Pool;
  let dataSource: DataSource;

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.startPair('asynchronous');
    pool = new pg.Pool({ ...poolOptions, connectionString: postgres.url, max: 2 });
    pool.on('error', () => undefined);
    dataSource = new DataSource(dataSourceOptions(postgres.url));
    await dataSource.initialize();
    await pool.query('create table changes (what text)');
  });

  afterAll(async () => {
    await pool?.end();
    await dataSource?.destroy();
    await postgres?.stop();
  });

  const writes = (what: string) =>
    pool.query('insert into changes values ($1) returning inet_server_port() as port', [what]);

  it('is connected to the one that takes writes, though the other comes first', async () => {
    const { rows } = await writes('before');
    expect(postgres.url).toMatch(new RegExp(`:${rows[0].port}/`));
    await dataSource.query(`insert into changes values ('by TypeORM')`);
  });

  it('is what the doctor warns of while no commit waits for the standby', async () => {
    const warnings = (await checkDatabase(dataSource)).map(({ text }) => text);
    expect(warnings).toContainEqual(expect.stringContaining('no commit waits for the standby'));
  });

  it('goes to the promoted standby after a failover', async () => {
    await postgres.failOver();
    await until(() => writes('after').catch(() => null));
    await until(() => dataSource.query(`insert into changes values ('after')`).catch(() => null));
  });

  it('leaves a server that takes no writes any more', async () => {
    const client = new DatabaseClient({ ...poolOptions, connectionString: postgres.url });
    await client.connect();
    const ended = new Promise((resolve) => client.once('end', resolve));
    await client.query('set default_transaction_read_only = on');
    await expect(client.query(`insert into changes values ('no')`)).rejects.toThrow('read-only');
    await ended;
  });

  it('is no database while only a standby is there', async () => {
    await postgres.addStandby();
    await postgres.kill();
    const why = () =>
      pool.query('select 1').then(
        () => '',
        (error: Error) => error.message,
      );
    // The first try finds nobody where the primary was.
    await until(async () => (await why()) === 'no server that DATABASE_URL names takes writes');
  });
});
