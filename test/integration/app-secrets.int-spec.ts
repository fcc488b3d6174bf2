import { createHmac } from 'node:crypto';
import { jest } from '@jest/globals';
import type { TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { newId } from '../../src/database/ids.js';
import { SecretBox } from '../../src/secrets/secret-box.js';
import { AppSecrets } from '../../src/webhooks/notifications/intake/app-secrets.js';
import { TestDatabase } from '../support/database.js';
import { installation } from '../support/installation.js';
import { openModule } from '../support/module.js';
import { until } from '../support/npm-start.js';

const apps = 50;
const wrong = `sha256=${'0'.repeat(64)}`;
const bodyBytes = 4 * 1024 * 1024;

describe('a notification of 4 MiB, in an installation of fifty apps', () => {
  let database: TestDatabase;
  let testingModule: TestingModule;
  let secrets: AppSecrets;
  const ids: string[] = [];

  beforeAll(async () => {
    database = await TestDatabase.clone('migrated');
    const box = new SecretBox([Buffer.from(installation.secretKey, 'base64')]);
    for (let app = 0; app < apps; app += 1) {
      const id = newId();
      ids.push(id);
      await database.sql(
        `insert into accounts (id, name, phone_number_id, business_account_id,
           display_phone_number, access_token, app_secret, active)
         values ($1, $2, $3, $4, '+15550783999', '', $5, true)`,
        [
          id,
          `account ${app}`,
          `1000${app}`,
          `2000${app}`,
          box.seal(`secret ${app}`, `accounts.app_secret.${id}`),
        ],
      );
    }
    testingModule = await openModule({ databaseUrl: database.url, providers: [AppSecrets] });
    secrets = testingModule.get(AppSecrets);
    await secrets.findSigner(Buffer.alloc(0), wrong, null);
  });

  afterAll(async () => {
    await testingModule?.close();
    await database?.drop();
  });

  const naming = (businessAccountId: string) =>
    Buffer.from(`{"entry":[{"id":"${businessAccountId}","changes":["${'x'.repeat(bodyBytes)}"]}]}`);
  /** How often a body is hashed to find its signer. */
  async function hashesOf(
    body: Buffer,
    signature: string | undefined,
    accountId: string | null = null,
  ) {
    const update = jest.spyOn(Object.getPrototypeOf(createHmac('sha256', '')), 'update');
    try {
      await secrets.findSigner(body, signature, accountId);
      return update.mock.calls.filter(([hashed]) => hashed === body).length;
    } finally {
      update.mockRestore();
    }
  }

  it('is hashed with the secret of the account that it names, or its address, and no other', async () => {
    expect(await hashesOf(naming('7'), wrong)).toBe(apps);
    expect(await hashesOf(naming('20007'), wrong)).toBe(1);
    expect(await hashesOf(naming('7'), wrong, ids[7])).toBe(1);
    expect(await hashesOf(naming('7'), undefined)).toBe(0);
    expect(await hashesOf(naming('7'), 'sha256=00')).toBe(0);
  });

  it('that no secret signed is hashed once per secret, even when the secrets are read again', async () => {
    const query = jest.spyOn(testingModule.get(DataSource), 'query');
    // A signature that fails reads them again where they are older than a second.
    await until(async () => {
      expect(await hashesOf(naming('7'), wrong)).toBe(apps);
      return query.mock.calls.length > 0;
    });
    query.mockRestore();
  });

  it('lets other requests run between two hashes', async () => {
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    await secrets.findSigner(naming('7'), wrong, null);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(apps / 5);
  });

  it('finds the signer in every way', async () => {
    const sign = (body: Buffer, app: number) =>
      `sha256=${createHmac('sha256', `secret ${app}`).update(body).digest('hex')}`;
    const body = naming('20007');
    const signer = { mode: 'live', accountIds: [ids[7]] };
    expect(await secrets.findSigner(body, sign(body, 7), null)).toMatchObject(signer);
    expect(await secrets.findSigner(body, sign(body, 7), ids[7] ?? '')).toMatchObject(signer);
    expect(await secrets.findSigner(body, sign(body, 8), null)).toBeNull();
    const nameless = naming('7');
    expect(await secrets.findSigner(nameless, sign(nameless, 7), null)).toMatchObject(signer);
  });
});
