import { installation } from '../support/installation.js';
import { hasOldPostgres, startOldPostgres } from '../support/old-postgres.js';
import { freePort, ServerProcess } from '../support/server-process.js';

const describeWithOldServer = hasOldPostgres ? describe : describe.skip;

describeWithOldServer('a PostgreSQL that is too old', () => {
  const sentence =
    /DATABASE_URL names a PostgreSQL 1[3-7]\.\d+, and Parley needs 18 or later: see docs\/self-hosting\.md for the packages\n/;
  let postgres: Awaited<ReturnType<typeof startOldPostgres>>;

  beforeAll(async () => {
    postgres = await startOldPostgres();
  });

  afterAll(() => postgres?.stop());

  /** Runs a program to its end. @returns how it ended and all that it wrote. */
  async function run(script: string) {
    const port = await freePort();
    const program = new ServerProcess(script, `dist/src/${script}.js`, port, {
      DATABASE_URL: postgres.url,
      SECRET_KEY: installation.secretKey,
      PORT: String(port),
      WORKER_PORT: String(port),
    });
    program.launch();
    return { code: await program.exited, output: program.output };
  }

  it.each(['migrate', 'main', 'worker', 'rotate-keys'])(
    'is refused by %s with one line',
    async (script) => {
      const { code, output } = await run(script);
      expect(code).toBe(1);
      expect(output).toMatch(new RegExp(`^${sentence.source}$`));
    },
  );

  it('is what the doctor names, and it leaves out what needs the tables', async () => {
    const { code, output } = await run('doctor');
    expect(code).toBe(1);
    const about = (subject: string) =>
      output.split('\n').filter((line) => line.split(/ +/)[1] === subject);
    expect(about('database').map((line) => `${line}\n`)).toEqual([
      expect.stringMatching(new RegExp(`^FAIL  database +${sentence.source}$`)),
    ]);
    expect([about('migrations'), about('operator')]).toEqual([[], []]);
  });
});
