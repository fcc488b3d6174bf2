import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { checkout, NpmStart, temporaryFolder } from '../support/npm-start.js';
import { ownPorts } from '../support/server-process.js';

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

    restored = new NpmStart(checkout, copy, ports);
    const after = await restored.ready(120_000);
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
