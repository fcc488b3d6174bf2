import type { Client } from 'pg';

/** What PostgreSQL says of a statement without running it. Types by their names, `text[]` for an array. */
export interface Described {
  readonly columns: Readonly<Record<string, string>>;
  readonly parameters: readonly string[];
}

/** The part of the driver's connection that sends and hears messages of the protocol. */
interface Connection {
  parse(query: { text: string; name: string; types: number[] }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
  once(name: 'parameterDescription', listener: (message: { dataTypeIDs: number[] }) => void): void;
  removeAllListeners(name: string): void;
}

/** Lets PostgreSQL parse a statement and say its parameters and columns. @throws what PostgreSQL refuses. */
export async function describeStatement(client: Client, text: string): Promise<Described> {
  const described = await new Promise<{
    parameters: readonly number[];
    columns: readonly { name: string; dataTypeID: number }[];
  }>((resolve, reject) => {
    let parameters: readonly number[] = [];
    let columns: readonly { name: string; dataTypeID: number }[] = [];
    client.query({
      submit(connection: Connection) {
        connection.removeAllListeners('parameterDescription');
        connection.once('parameterDescription', ({ dataTypeIDs }) => {
          parameters = dataTypeIDs;
        });
        connection.parse({ text, name: '', types: [] });
        connection.describe({ type: 'S', name: '' });
        connection.sync();
      },
      handleRowDescription: ({ fields }: { fields: typeof columns }) => {
        columns = fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve({ parameters, columns }),
    } as any);
  });
  const ids = [...described.parameters, ...described.columns.map(({ dataTypeID }) => dataTypeID)];
  const names = await namesOf(client, ids);
  const nameOf = (id: number) => names.get(id) ?? String(id);
  return {
    columns: Object.fromEntries(
      described.columns.map(({ name, dataTypeID }) => [name, nameOf(dataTypeID)]),
    ),
    parameters: described.parameters.map(nameOf),
  };
}

async function namesOf(client: Client, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await client.query<{ id: number; name: string }>(
    `select t.oid::int8::int4 as id, case when t.typname = 'varchar' then 'text'
       when e.oid is null then t.typname else e.typname || '[]' end::text as name
     from pg_type t left join pg_type e on e.oid = t.typelem and t.typname like '\\_%'
     where t.oid = any ($1::oid[])`,
    [[...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
