import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sha256Hex, sign } from '../../src/auth/request-signature.js';
import { sealedColumns } from '../../src/secrets/sealed-columns.js';
import { SecretBox } from '../../src/secrets/secret-box.js';
import { Dashboard } from '../support/dashboard.js';
import { dumpOf } from '../support/dump.js';
import { installation } from '../support/installation.js';
import { checkout } from '../support/npm-start.js';
import { freePort, ServerProcess } from '../support/server-process.js';
import { Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const rows = 10_000;
const formerKey = installation.secretKey;
const newKey = randomBytes(32).toString('base64');
const boxOf = (...keys: string[]) => new SecretBox(keys.map((key) => Buffer.from(key, 'base64')));

describe('a new SECRET_KEY', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start({ env: { SECRET_KEY: `${newKey},${formerKey}`, LOG_LEVEL: 'warn' } });
  });

  afterAll(() => stack?.stop());

  /** Runs the command as operators do. */
  async function rotate(secretKey: string): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, [join(checkout, 'dist/src/rotate-keys.js')], {
      env: { PATH: process.env.PATH, DATABASE_URL: stack.databaseUrl, SECRET_KEY: secretKey },
    });
    const [output, complaint, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((done) => child.once('close', done)),
    ]);
    return { code, output: output + complaint };
  }

  /** Starts an API process with other keys and returns its output, if it ends. */
  async function startWith(secretKey: string): Promise<string | null> {
    const port = await freePort();
    const env = { ...stack.apis[0]?.env, PORT: String(port), SECRET_KEY: secretKey };
    const api = new ServerProcess('another API', 'dist/src/main.js', port, env);
    api.launch();
    try {
      await until(async () => !api.isRunning || (await api.health('ready')) === 200);
      return api.isRunning ? null : api.output;
    } finally {
      await api.stop();
    }
  }

  /** Every stored secret with its place. */
  async function sealed(): Promise<{ at: string; sealed: string }[]> {
    const columns = sealedColumns.map(
      ({ table, key, column, place }) =>
        `select '${place}.' || ${key} as at, ${column} as sealed from ${table} where ${column} <> ''`,
    );
    return stack.sql(columns.join(' union all '));
  }

  it('knows every column that holds a secret', async () => {
    const found = await stack.sql(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type = 'text' and column_name ~ 'secret|token|sealed'`,
    );
    expect(found.map((one) => `${one.table_name}.${one.column_name}`).toSorted()).toEqual(
      sealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted(),
    );
  });

  it(`seals ${rows.toLocaleString('en')} rows again under load, and every one of them can be read`, async () => {
    const operator = await Dashboard.signIn(stack);
    const created = await operator.newKey({
      rate_limit_per_minute: 1_000_000,
      daily_limit: 1_000_000,
    });
    const former = boxOf(formerKey);
    const ids = await stack.sql<{ id: string }>(
      `insert into api_keys (id, account_id, name, mode, digest, display, permissions, signing_secret)
       select new_id(), $1, 'key ' || n, 'live', sha256(('key ' || n)::bytea), '', '{view_messages}', ''
       from generate_series(1, $2::int) as n returning id`,
      [installation.accountId, rows],
    );
    const secrets = ids.map(({ id }) => {
      const secret = `sgsec_${randomBytes(32).toString('base64')}`;
      return { id, secret, sealed: former.seal(secret, `api_keys.signing_secret.${id}`) };
    });
    await stack.sql(
      `update api_keys k set signing_secret = n.sealed
       from unnest($1::uuid[], $2::text[]) as n (id, sealed) where n.id = k.id`,
      [secrets.map(({ id }) => id), secrets.map((one) => one.sealed)],
    );

    const load = { isOver: false };
    const statuses = new Map<number, number>();
    const callers = Array.from({ length: 4 }, async (_, caller) => {
      for (let call = 0; !load.isOver; call += 1) {
        const timestamp = Math.floor(Date.now() / 1_000);
        const target = `/api/v1/external/messages?limit=1&reference=${caller}-${call}`;
        const request = { method: 'GET', target, bodySha256: sha256Hex(Buffer.alloc(0)) };
        const signature = sign(created.signing_secret, request, timestamp, '').toString('hex');
        const { status } = await stack.requestAt(target, {
          apiKey: created.key,
          headers: { 'X-Timestamp': String(timestamp), 'X-Signature': `v1=${signature}` },
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // Changes bump the version, so that sealed secrets are read again all the time.
        if (caller === 0) {
          await operator.get('PATCH', `/api-keys/${created.api_key.id}`, {
            description: `${call}`,
          });
        }
      }
    });
    await until(() => statuses.size > 0);
    const { code, output } = await rotate(`${newKey},${formerKey}`);
    load.isOver = true;
    await Promise.all(callers);

    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^1\d{4} secrets/) });
    expect([...statuses.keys()]).toEqual([200]);
    const current = boxOf(newKey);
    const opened = new Map(
      (await sealed()).map((one) => [one.at, current.open(one.sealed, one.at)]),
    );
    expect(opened.size).toBeGreaterThan(rows);
    for (const { id, secret } of secrets) {
      if (opened.get(`api_keys.signing_secret.${id}`) !== secret) throw new Error(`${id} changed`);
    }
    const dump = await dumpOf(stack);
    const plain = [created.signing_secret, created.webhook_secret, created.key, installation.apiKey]
      .concat(secrets.slice(0, 1_000).map(({ secret }) => secret))
      .filter((secret) => dump.includes(secret.replace(/^(sg|wh)sec_/, '')));
    expect(plain).toEqual([]);
    expect(await rotate(`${newKey},${formerKey}`)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^0 secrets/),
    });
  });

  it('is enough by itself from then on, and the former one is not', async () => {
    expect(await startWith(newKey)).toBeNull();
    const complaint = await startWith(formerKey);
    expect(complaint).toMatch(/^SECRET_KEY lacks a key .*10\d{3} in api_keys\.signing_secret/m);
    expect(complaint).not.toContain(formerKey);
    expect((await rotate(formerKey)).code).toBe(1);
  });

  it('is noted in the audit log', async () => {
    const operator = await Dashboard.signIn(stack);
    const { entries } = await operator.get('GET', '/audit-log?action=installation.secrets_rotated');
    expect(entries.at(-1)).toMatchObject({ actor: 'npm run rotate-keys' });
    expect(entries.at(-1).details.sealed).toBeGreaterThan(rows);
  });
});
