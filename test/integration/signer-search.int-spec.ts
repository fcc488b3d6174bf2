import { createHmac } from 'node:crypto';
import { jest } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { newId } from '../../src/database/ids.js';
import { Metrics } from '../../src/metrics/metrics.js';
import { AppSecrets } from '../../src/notifications/intake/app-secrets.js';
import { failedSearchesMax, SignerSearch } from '../../src/notifications/intake/signer-search.js';
import { SecretBox } from '../../src/secrets/secret-box.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/until.js';

const apps = 400;
const wrong = `sha256=${'0'.repeat(64)}`;
const [small, large] = [16 * 1024, 4 * 1024 * 1024];

describe('the signer of a body, in an installation of 400 apps', () => {
  let database: TestDatabase;
  let testingModule: TestingModule;
  let signers: SignerSearch;
  let here: string;
  let test = 0;
  const box = new SecretBox([Buffer.from(installation.secretKey, 'base64')]);
  const ids = Array.from({ length: apps }, newId);

  /** Adds accounts with WhatsApp's ids 1000… (number) and 2000… (business account). */
  async function addAccounts(accounts: { id: string; number: string; secret: string }[]) {
    await database.sql(
      `insert into accounts (id, name, phone_number_id, business_account_id,
         display_phone_number, access_token, app_secret, active)
       select id, 'account ' || number, '1000' || number, '2000' || number, '+15550783999', '', secret, true
       from unnest($1::uuid[], $2::text[], $3::text[]) as t (id, number, secret)`,
      [
        accounts.map(({ id }) => id),
        accounts.map(({ number }) => number),
        accounts.map(({ id, secret }) => box.seal(secret, `accounts.app_secret.${id}`)),
      ],
    );
  }

  beforeAll(async () => {
    database = await TestDatabase.clone('migrated');
    await addAccounts(ids.map((id, app) => ({ id, number: String(app), secret: `secret ${app}` })));
    testingModule = await openModule({
      databaseUrl: database.url,
      providers: [AppSecrets, SignerSearch],
    });
    signers = testingModule.get(SignerSearch);
    await testingModule.get(AppSecrets).all();
  });

  // No test finds what another one has used up.
  beforeEach(() => {
    here = `2001:db8:${((test += 1)).toString(16)}:0::/64`;
  });

  afterAll(async () => {
    await testingModule?.close();
    await database?.drop();
  });

  /** A body that names these accounts by WhatsApp's id of the business account. */
  const naming = (accounts: readonly (string | number)[], bytes = small) =>
    Buffer.from(
      `{"entry":[${accounts.map((id) => `{"id":"${id}"}`).join()}],"padding":"${'x'.repeat(bytes)}"}`,
    );
  const nameless = (bytes = small) => naming([7], bytes);
  const sign = (body: Buffer, secret: string) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const find = (
    body: Buffer,
    signature: string | undefined,
    { accountId = null as string | null, address = here } = {},
  ) => signers.findSigner({ body, signature, accountId, address });
  const signerOf = (app: number) => ({ mode: 'live', accountIds: [ids[app]] });
  const tried = async () => {
    const { values } = await testingModule.get(Metrics).secretsTried.get();
    return values.reduce((sum, { value }) => sum + value, 0);
  };
  /** How many secrets were tried meanwhile. */
  async function triesOf(work: () => Promise<unknown>): Promise<number> {
    const before = await tried();
    await work();
    return (await tried()) - before;
  }
  /** Uses up what an address may fail with. */
  async function useUp() {
    for (let failure = 0; failure < failedSearchesMax; failure += 1) {
      await find(nameless(100), wrong);
    }
  }

  it.each([small, large])('is found in every way, in a body of %i bytes', async (bytes) => {
    const body = naming([20007], bytes);
    const right = sign(body, 'secret 7');
    expect(await find(body, right)).toMatchObject(signerOf(7));
    expect(await find(body, right, { accountId: ids[7] })).toMatchObject(signerOf(7));
    expect(await find(body, right, { accountId: ids[8] })).toBeNull();
    const other = nameless(bytes);
    expect(await find(other, sign(other, 'secret 399'))).toMatchObject(signerOf(399));
  });

  it('is found with one try where the body names the account, wherever it does', async () => {
    const phone = Buffer.from(`{"phone_number_id" : "10007","x":"${'x'.repeat(small)}"}`);
    const late = Buffer.from(`{"x":"${'"id":'.repeat(30_000)}","id":"20007"}`);
    for (const body of [naming([20007]), naming([20007], large), naming([1, 20007]), phone, late]) {
      const right = sign(body, 'secret 7');
      expect(await triesOf(() => find(body, right))).toBe(1);
    }
  });

  it('is searched once with each secret at most, even when the secrets are read again', async () => {
    const query = jest.spyOn(testingModule.get(DataSource), 'query');
    let next = 0;
    // A signature that fails reads them again where they are older than a second.
    await until(async () => {
      const address = `192.0.2.${(next += 1)}`;
      expect(await triesOf(() => find(nameless(), wrong, { address }))).toBe(apps);
      return query.mock.calls.length > 0;
    });
    query.mockRestore();
  });

  it('is not searched for what is no signature', async () => {
    expect(await triesOf(() => find(nameless(), undefined))).toBe(0);
    expect(await triesOf(() => find(nameless(), 'sha256=00'))).toBe(0);
  });

  it('is not searched among others at the address of an account, or in a large body that names one', async () => {
    expect(await triesOf(() => find(nameless(), wrong, { accountId: ids[7] }))).toBe(1);
    expect(await triesOf(() => find(naming([20007], large), wrong))).toBe(1);
  });

  it('is searched among others 20 times a minute for an address that fails', async () => {
    const forged = naming([20007]);
    const tries = await triesOf(async () => {
      await Promise.all(Array.from({ length: 110 }, () => find(forged, wrong)));
    });
    expect(tries).toBe(failedSearchesMax * apps + (110 - failedSearchesMax));
    const sample = nameless();
    expect(await find(sample, sign(sample, 'secret 7'))).toBeNull();
    expect(await find(sample, sign(sample, 'secret 7'), { address: 'elsewhere' })).toMatchObject(
      signerOf(7),
    );
  });

  it('is always found for the account that a body or an address names, whatever failed before', async () => {
    await useUp();
    const body = naming([20007]);
    expect(await find(body, sign(body, 'secret 7'))).toMatchObject(signerOf(7));
    const sample = nameless();
    const right = sign(sample, 'secret 7');
    expect(await find(sample, right, { accountId: ids[7] })).toMatchObject(signerOf(7));
  });

  it('does not use up the minute where it is found', async () => {
    const sample = nameless(100);
    for (let call = 0; call < failedSearchesMax + 1; call += 1) {
      expect(await find(sample, sign(sample, 'secret 5'))).toMatchObject(signerOf(5));
    }
  });

  it('is searched among others once for a body of megabytes', async () => {
    expect(await triesOf(() => find(nameless(large), wrong))).toBe(apps);
    expect(await triesOf(() => find(nameless(large), wrong))).toBe(0);
  });

  it('takes a body that names every account for one that names eight', async () => {
    await useUp();
    const forged = naming(ids.map((_, app) => `2000${app}`));
    expect(await triesOf(() => find(forged, wrong))).toBe(8);
  });

  it('is tried once where accounts share a secret', async () => {
    const shared = [newId(), newId()].toSorted();
    await addAccounts(
      shared.map((id, index) => ({ id, number: `90${index}`, secret: 'secret 1' })),
    );
    await until(() => testingModule.get(AppSecrets).readAgain());
    expect(await triesOf(() => find(nameless(), wrong))).toBe(apps);
    const body = naming(['2000900']);
    expect(await find(body, sign(body, 'secret 1'))).toMatchObject({
      accountIds: [ids[1], ...shared],
    });
    await database.sql('delete from accounts where id = any ($1)', [shared]);
  });

  /** How often the event loop turned meanwhile. */
  async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await work();
    isDone = true;
    return turns;
  }

  it('lets other requests run after each 64 KiB, and counts starting a hash', async () => {
    // 20 KiB for each: its bytes, and 4 KiB for the start.
    expect(await turnsDuring(() => find(nameless(), wrong))).toBeGreaterThan(apps / 4);
    const body = naming([20007], large);
    expect(await turnsDuring(() => find(body, sign(body, 'secret 7')))).toBeGreaterThan(60);
  });

  it('is searched for bodies of several addresses in turns, one after the other', async () => {
    const addresses = Array.from({ length: 10 }, (_, index) => `198.51.100.${index}`);
    const turns = await turnsDuring(() =>
      Promise.all(addresses.map((address) => find(nameless(), wrong, { address }))),
    );
    expect(turns).toBeGreaterThan((10 * apps) / 4);
  });

  it('is not searched for more bodies than 16 MiB at a time', async () => {
    const addresses = Array.from({ length: 260 }, (_, index) => `203.0.113.${index}`);
    const answers = await Promise.allSettled(
      addresses.map((address) => find(nameless(100), wrong, { address })),
    );
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(260 - 256);
    expect(refused[0]).toMatchObject({
      reason: { code: 'SERVICE_UNAVAILABLE', details: { reason: 'too_many_notifications' } },
    });
  });
});
