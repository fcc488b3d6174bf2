import { dayMs } from '#libs/durations';
import { newId } from '../../src/database/ids.js';
import { TestDatabase } from '../support/database.js';
import { insertMessage } from '../support/messages.js';

const month = (date: Date) =>
  `${date.getUTCFullYear()}_${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
const startOfMonth = (ahead: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
};

/** The smallest id of a time. */
const edge = (date: Date) => `${newId(date.getTime()).slice(0, 13)}-0000-0000-000000000000`;

const createPartition = (parent: string, from: Date, to: Date) =>
  `create table ${parent}_${month(from)} partition of ${parent}
   for values from ('${edge(from)}') to ('${edge(to)}')`;

describe('partitions by month', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await TestDatabase.clone('migrated');
  });

  afterEach(() => database.drop());

  const partitions = async (parent: string) => {
    const rows = await database.sql(
      `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = $1::regclass order by name`,
      [parent],
    );
    return rows.map(({ name }) => name);
  };

  const partitionOf = async (id: string) => {
    const [row] = await database.sql(
      'select tableoid::regclass::text as name from messages where id = $1',
      [id],
    );
    return row.name;
  };

  const place = async (at: Date) =>
    partitionOf(await insertMessage(database, { id: newId(at.getTime()) }));

  it.each(['messages', 'platform_notifications', 'notification_events'])(
    'exist for %s, three months ahead, with a default one',
    async (parent) => {
      const months = [0, 1, 2, 3].map((ahead) => `${parent}_${month(startOfMonth(ahead))}`);
      expect(await partitions(parent)).toEqual([...months, `${parent}_other`]);
    },
  );

  it('can be made any number of times, by any number of processes', async () => {
    const before = await partitions('messages');
    await Promise.all(Array.from({ length: 3 }, () => database.sql('select ensure_partitions(3)')));
    expect(await partitions('messages')).toEqual(before);
    await database.sql('select ensure_partitions(6)');
    expect(await partitions('messages')).toHaveLength(before.length + 3);
  });

  it.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
    'are the same whatever the time zone of the session: %s',
    async (zone) => {
      const name = new URL(database.url).pathname.slice(1);
      await database.sql(`alter database ${name} set timezone = '${zone}'`);
      const before = await partitions('messages');
      await database.sql('select ensure_partitions(3)');
      expect(await partitions('messages')).toEqual(before);
    },
  );

  it('take each id by its time, to the millisecond of the end of a month', async () => {
    for (const ahead of [1, 2, 3]) {
      const first = startOfMonth(ahead);
      expect(await place(first)).toBe(`messages_${month(first)}`);
      const last = new Date(first.getTime() - 1);
      expect(await place(last)).toBe(`messages_${month(last)}`);
    }
    expect(await place(new Date('2020-02-29T12:00:00Z'))).toBe('messages_other');
    expect(await place(startOfMonth(4))).toBe('messages_other');
  });

  it('are made for months that began without one, and take over their messages', async () => {
    const id = newId(startOfMonth(4).getTime());
    await insertMessage(database, { id });
    expect(await partitionOf(id)).toBe('messages_other');
    await database.sql('select ensure_partitions(4)');
    expect(await partitionOf(id)).toBe(`messages_${month(startOfMonth(4))}`);
  });

  it('are dropped when their last message is older than the retention, and no earlier', async () => {
    const old = [-5, -4, -3].map((ahead) => ({
      from: startOfMonth(ahead),
      to: startOfMonth(ahead + 1),
    }));
    for (const { from, to } of old) {
      for (const parent of ['messages', 'platform_notifications', 'notification_events']) {
        await database.sql(createPartition(parent, from, to));
      }
    }
    const before = await partitions('messages');
    const endOfSecond = old[1]?.to.getTime() ?? 0;
    const days = Math.floor((Date.now() - endOfSecond) / dayMs);
    const dropped = await database.sql('select drop_old_partitions($1) as count', [days]);
    expect(dropped).toEqual([{ count: 6 }]);
    expect(await partitions('messages')).toEqual(before.slice(2));
    expect(await database.sql('select drop_old_partitions($1) as count', [days])).toEqual([
      { count: 0 },
    ]);
  });
});
