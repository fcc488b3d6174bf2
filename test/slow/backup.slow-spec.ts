import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../src/start/postgres/server.js';
import { checkout, NpmStart, temporaryFolder } from '../support/npm-start.js';
import { ownPorts } from '../support/server-process.js';

/** Runs a command to its end, and returns what it says. */
function runCommand(name: string, env: Readonly<Record<string, string>>): string {
  const { PATH = '' } = process.env;
  const script = join(checkout, `dist/src/${name}.js`);
  return execFileSync(process.execPath, [script], {
    env: { PATH, ...env },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

const runRestored = (env: Readonly<Record<string, string>>) => runCommand('restored', env);

/** Leaves a message in a stopped DATA_DIR that its original may have sent since. */
async function leaveQueued(directory: string): Promise<void> {
  const { postgres_password: password } = JSON.parse(
    readFileSync(join(directory, 'secrets.json'), 'utf8'),
  ) as { postgres_password: string };
  const server = await startPostgres({ directory, password });
  const client = new Client(server.url);
  await client.connect();
  await client.query(
    `insert into messages (id, account_id, api_key_id, mode, type, recipient, payload, waiting,
       created_at, next_attempt_at, give_up_at)
     select uuidv7(), account_id, id, mode, 'text', '+14155550124', '{}', false, now(), now(), now() + interval '15 minutes'
     from api_keys limit 1`,
  );
  await client.end();
  await server.stop();
}

/** The steps of docs/backup.md under npm start. */
describe('a copy of DATA_DIR', () => {
  const folder = temporaryFolder();
  const copy = `${folder}-restored`;
  let original: NpmStart | null = null;
  let restored: NpmStart | null = null;

  afterAll(async () => {
    await restored?.destroy();
    rmSync(folder, { recursive: true, force: true });
    rmSync(copy, { recursive: true, force: true });
    if (original?.process.exitCode === null) await original.destroy();
  });

  it('has the messages, the key and the sign-in', async () => {
    const ports = await ownPorts();
    original = new NpmStart(checkout, folder, ports);
    const before = await original.ready(300_000);
    const sent = await fetch(`${before.api_url}/api/v1/external/messages/text`, {
      method: 'POST',
      headers: { 'X-API-Key': before.api_key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ to: '+14155550123', body: 'Hello', reference: 'before the backup' }),
    });
    const { data } = (await sent.json()) as { data: { message_id: string } };
    original.signal('SIGTERM');
    expect(await original.exited).toBe(0);
    // With the owners: as root, PostgreSQL's files are another user's.
    execFileSync('cp', ['-a', folder, copy]);
    await leaveQueued(copy);
    expect(runRestored({ DATA_DIR: copy })).toMatch(
      /^1 message is unconfirmed and 0 campaigns are paused/,
    );
    expect(runRestored({ DATA_DIR: copy })).toMatch(/^0 messages are unconfirmed and 0 campaigns/);
    expect(() => runRestored({ DATA_DIR: `${copy}-other` })).toThrow('There is no database in');

    expect(runCommand('reset-operator', { DATA_DIR: copy })).toContain('/dashboard/reset#token=');

    restored = new NpmStart(checkout, copy, ports);
    const after = await restored.ready(120_000);
    expect(runCommand('reset-operator', { DATA_DIR: copy })).toContain(
      `${after.dashboard_url}/reset#token=`,
    );
    expect(() => runRestored({ DATA_DIR: copy })).toThrow(`Parley runs on ${copy}`);
    expect(after).toMatchObject({
      api_key: before.api_key,
      admin_password: before.admin_password,
      account_id: before.account_id,
    });
    const read = await fetch(`${after.api_url}/api/v1/external/messages/${data.message_id}`, {
      headers: { 'X-API-Key': after.api_key },
    });
    expect(await read.json()).toMatchObject({ data: { reference: 'before the backup' } });
    const session = await fetch(`${after.api_url}/api/v1/dashboard/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: after.admin_email, password: after.admin_password }),
    });
    expect(session.status).toBe(200);
  });
});
