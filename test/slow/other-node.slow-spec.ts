import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { checkout, NpmStart, temporaryFolder } from '../support/npm-start.js';
import { ownPorts } from '../support/server-process.js';

/** Another Node than the one of the tests; CI names it where the machine has one. */
const otherNode = process.env.PARLEY_TEST_OTHER_NODE ?? process.execPath;
const version = execFileSync(otherNode, ['--version'], { encoding: 'utf8' }).trim().slice(1);

describe(`npm start on Node ${version}`, () => {
  let started: NpmStart;

  beforeAll(async () => {
    const command = [otherNode, join(checkout, 'scripts/up.mjs'), checkout];
    started = new NpmStart(checkout, temporaryFolder(), await ownPorts(), command);
  });

  afterAll(() => started.destroy());

  it('sends a message, and says whether this Node is too old to be safe', async () => {
    const run = await started.ready(120_000);
    const sent = await fetch(`${run.api_url}/api/v1/external/messages/text`, {
      method: 'POST',
      headers: { 'X-API-Key': run.api_key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ to: '+14155550123', body: 'Hello' }),
    });
    expect(await sent.json()).toMatchObject({ data: { status: 'sent' } });
    const warning = `This is Node ${version}, which gets no security fixes any more.`;
    expect(started.output.includes(warning)).toBe(Number.parseInt(version, 10) < 22);
  });
});
