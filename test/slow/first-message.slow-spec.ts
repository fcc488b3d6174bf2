import { execFileSync } from 'node:child_process';
import { checkout, NpmStart, type Run, temporaryFolder } from '../support/npm-start.js';
import { ownPorts } from '../support/server-process.js';
import { until } from '../support/until.js';

interface Answer {
  success: boolean;
  data: { message_id: string; status: string };
}

/** What a newcomer does: start, paste the line from the banner, look, stop, start again. */
describe('a first message', () => {
  const data = temporaryFolder();
  let ports: Record<string, string>;
  let started: NpmStart;
  let run: Run;
  let answer: Answer;

  beforeAll(async () => {
    ports = await ownPorts();
    started = new NpmStart(checkout, data, ports);
    run = await started.ready();
    answer = paste(started);
  }, 120_000);

  afterAll(() => started.destroy());

  function paste(from: NpmStart): Answer {
    const command = from.output.match(/^curl .*\n(?: .*\n)+/m)?.[0] ?? '';
    return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as Answer;
  }

  async function statusOf(messageId: string): Promise<string> {
    const response = await fetch(`${run.api_url}/api/v1/external/messages/${messageId}`, {
      headers: { 'X-API-Key': run.api_key },
    });
    return ((await response.json()) as Answer).data.status;
  }

  it('is sent by the line that the banner prints', () => {
    expect(answer).toMatchObject({ success: true, data: { status: 'sent' } });
  });

  it('is delivered and read, as the simulator reports', async () => {
    await until(async () => (await statusOf(answer.data.message_id)) === 'read');
  });

  it('is answered, and the reply is delivered to a receiver that is there already', async () => {
    expect(await answered('yes', answer.data.message_id)).toMatchObject({
      event: 'message.received',
      data: {
        from: '+14155550123',
        message: { type: 'button', button: { text: 'Yes', payload: 'yes' } },
        context: { message_id: answer.data.message_id },
      },
    });
  });

  it.each(['API', 'Worker', 'Simulator', 'PostgreSQL'] as const)(
    'is followed by a second one after %s was killed',
    async (name) => {
      process.kill(started.pidOf(name), 'SIGKILL');
      await until(() => started.output.includes(`${name} is running again.`));
      await until(() => paste(started).success);
    },
  );

  it('is still there after a second start', async () => {
    const { api_key, admin_password, account_id } = run;
    started.signal('SIGTERM');
    expect(await started.exited).toBe(0);
    started = new NpmStart(checkout, data, ports);
    run = await started.ready();
    expect(run).toMatchObject({ api_key, admin_password, account_id });
    expect(await statusOf(answer.data.message_id)).toMatch(/^(sent|delivered|read)$/);
  });

  it('is answered at the receiver’s new place after the simulator moved', async () => {
    started.signal('SIGTERM');
    await started.exited;
    started = new NpmStart(checkout, data, { ...ports, SIMULATOR_PORT: '0' });
    run = await started.ready();
    const { data: sent } = paste(started);
    expect(await answered('no', sent.message_id)).toMatchObject({
      data: { message: { button: { payload: 'no' } } },
    });
  });

  /** Taps a button of a message as its recipient, and waits for what the demo key's webhook got. */
  async function answered(button: string, messageId: string): Promise<unknown> {
    const simulator = `${run.simulator_url}/_simulator`;
    const read = async (path: string) =>
      (await (await fetch(`${simulator}/${path}`)).json()) as Record<string, any[]>;
    const { messages = [] } = await read('messages');
    const message = messages.find((each) => each.biz_opaque_callback_data === messageId);
    await fetch(`${simulator}/messages/${encodeURIComponent(message.id)}/reply`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ button_id: button }),
    });
    return until(async () => {
      const { requests = [] } = await read('receiver');
      return requests.find(
        ({ body }) =>
          body.event === 'message.received' && body.data.message.button.payload === button,
      )?.body;
    });
  }
});
