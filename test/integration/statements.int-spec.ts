import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { sqlTypeOf } from '../../src/database/statements/sql-types.js';
import { Statement, StatementFamily, statement } from '../../src/database/statements/statement.js';
import { TestDatabase } from '../support/database.js';
import { type Described, describeStatement } from '../support/described-statement.js';

const source = join(import.meta.dirname, '..', '..', 'src');

/** Every statement of the program with its file; of a family one for each of its examples. */
const loaded: { file: string; exported: unknown[] }[] = [];
for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.statements.ts')) continue;
  // One after another: Jest's loader fails where two imports wait for the same file.
  loaded.push({ file, exported: Object.values<unknown>(await import(join(source, file))) });
}
const families = loaded.flatMap(({ exported }) =>
  exported.filter((one) => one instanceof StatementFamily),
);
const statements = loaded.flatMap(({ exported }) =>
  exported.filter((one) => one instanceof Statement),
);

const declaredBy = ({
  parts: { columns = {}, params = {} },
  parameterNames,
}: Statement): Described => ({
  columns: Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, sqlTypeOf(column)]),
  ),
  parameters: parameterNames.map((name) => sqlTypeOf(params[name] ?? 'text')),
});

describe('the statements of the program', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
    client = new Client(database.url);
    await client.connect();
  });

  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  it('are found', () => {
    expect(statements.length).toBeGreaterThan(0);
    expect(loaded.filter(({ exported }) => exported.length === 0)).toEqual([]);
  });

  it('have names of their own', () => {
    const names = [...statements, ...families].map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
    expect(names.filter((name) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  it.each([
    ...statements.map((one) => [one.name, one] as const),
    ...families.flatMap((one) =>
      one.examples().map((example, index) => [`${one.name} ${index + 1}`, example] as const),
    ),
  ])('%s has the columns and parameters that it declares', async (_, one) => {
    expect(await describeStatement(client, one.text)).toEqual(declaredBy(one));
  });

  it('fail here where a column has another name or type', async () => {
    const wrong = statement({
      name: 'wrong',
      params: { id: 'text' },
      columns: { id: 'uuid', nome: 'text', active: 'text' },
      text: 'select id, name, active from api_keys where id = :id',
    });
    expect(await describeStatement(client, wrong.text)).toEqual({
      columns: { id: 'uuid', name: 'text', active: 'bool' },
      parameters: ['uuid'],
    });
    await expect(describeStatement(client, 'select nome from api_keys')).rejects.toThrow(
      'column "nome" does not exist',
    );
  });
});
