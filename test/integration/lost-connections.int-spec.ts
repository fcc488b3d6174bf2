import { createServer, type Server } from 'node:net';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions, poolOptions } from '../../src/database/data-source-options.js';
import { DatabaseClient } from '../../src/database/database-client.js';
import { QueuesModule } from '../../src/hints/queues.module.js';
import { TestDatabase } from '../support/database.js';
import { openModule } from '../support/module.js';

/** A message of PostgreSQL's protocol: its letter, its length, its content. */
function message(type: string, ...parts: (string | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const farewell = [
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
];
const greeting = [
  message('R', [0, 0, 0, 0]),
  message('Z', 'I'),
  // All in one piece, as a process reads it that was busy meanwhile.
  message('E', ...farewell),
];

/** A server that ends each connection as soon as it has let it in. */
describe('a connection that is lost before anyone uses it', () => {
  let server: Server;
  let url = '';
  let greeted = 0;

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        greeted += 1;
        socket.end(Buffer.concat(greeting));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `postgres://parley@127.0.0.1:${(server.address() as { port: number }).port}/parley`;
  });

  afterAll(() => server.close());

  it('fails its user but does not end the process: TypeORM', async () => {
    const dataSource = new DataSource({ ...dataSourceOptions(url), entities: [] });
    await expect(dataSource.initialize()).rejects.toThrow();
    expect(greeted).toBeGreaterThan(0);
  });

  it('fails its user but does not end the process: a connection taken from a pool', async () => {
    const pool = new pg.Pool({ ...poolOptions, connectionString: url });
    pool.on('error', () => undefined);
    const client = await pool.connect();
    await expect(client.query('select 1')).rejects.toThrow();
    client.release();
    await pool.end();
  });

  it('notifies late listeners, as BullMQ needs', async () => {
    const client = new DatabaseClient({ connectionString: url });
    await client.connect();
    // The loss came with the greeting, and nothing listened by then.
    const heard = await new Promise((tell) => client.on('error', tell));
    expect(heard).toMatchObject({ code: '57P01' });
    await client.end();
  });

  it('is the kind that BullMQ listens on, too', async () => {
    const database = await TestDatabase.clone('migrated');
    const process = await openModule({
      databaseUrl: database.url,
      imports: [QueuesModule.forRole('producer')],
    });
    expect(pg.Client).toBe(DatabaseClient);
    await process.close();
    await database.drop();
  });
});
