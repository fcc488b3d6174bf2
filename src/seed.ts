import 'reflect-metadata';
import { text } from 'node:stream/consumers';
import { IsBoolean, IsEmail, IsOptional, IsString, MinLength } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { permissions } from './access/permissions.js';
import { AccountEntity } from './accounts/account.entity.js';
import { AccountRecords } from './accounts/account-records.js';
import { ApiKeyEntity } from './api-keys/api-key.entity.js';
import { ApiKeyRecords, type DigestedKey } from './api-keys/api-key-records.js';
import { KeyPepper } from './api-keys/key-pepper.js';
import { AuditLog } from './audit/audit-log.js';
import { Config } from './config/config.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { openDatabase } from './database/opening/open-database.js';
import { holdToOneConnection } from './database/transactions/one-connection.js';
import { EndpointRecords } from './endpoints/endpoint-records.js';
import { entities } from './entities.js';
import { validate } from './http/validation/body.pipe.js';
import { NestedType } from './http/validation/compiled-rules.js';
import { start } from './process.js';
import { SecretBox } from './secrets/secret-box.js';
import { usersOf } from './users/first-operator.js';

class SimulatorSecretsDto {
  @IsString()
  app_secret: string;

  @IsString()
  access_token: string;
}

/** What `npm start` hands over on standard input. */
class SeedDto {
  @IsEmail({ require_tld: false })
  admin_email: string;

  @MinLength(8)
  admin_password: string;

  @IsString()
  api_key: string;

  @NestedType(() => SimulatorSecretsDto, { each: false })
  simulator: SimulatorSecretsDto;

  /** Where the demo key's events go; none without it. */
  @IsOptional()
  @IsString()
  webhook_url?: string;

  /** Whether the demo key has a feed of its events, for `parley listen`. */
  @IsOptional()
  @IsBoolean()
  event_feed?: boolean;
}

const demoName = 'Demo';
const actor = { userId: null, name: 'npm start', address: null };

/** Creates the first operator, the demo account and its key; existing ones are not changed. */
start(async () => {
  const config = new Config(process.env);
  const given = validate(SeedDto, JSON.parse(await text(process.stdin)));
  const dataSource = await openDatabase(
    new DataSource(dataSourceOptions(config.databaseUrl, entities)),
  );
  if (config.checksTransactions) holdToOneConnection(dataSource);
  try {
    const secrets = new SecretBox(config.secretKeys);
    const audit = new AuditLog();
    const users = usersOf(dataSource, audit);
    const accounts = new AccountRecords(secrets);
    const endpoints = new EndpointRecords(secrets);
    const pepper = new KeyPepper(dataSource, secrets);
    const keys = new ApiKeyRecords(dataSource, pepper, secrets, endpoints);
    await users.ensureOperator(given.admin_email, given.admin_password, actor);
    const key = { token: given.api_key, digest: await keys.digest(given.api_key) };
    const accountId = await dataSource.transaction(async (manager) => {
      const account = await demoAccount(manager, accounts, audit, given);
      await demoKey(manager, account, { keys, endpoints, audit }, key, given);
      return account;
    });
    process.stdout.write(`${JSON.stringify({ account_id: accountId })}\n`);
  } finally {
    await dataSource.destroy();
  }
});

async function demoAccount(
  manager: EntityManager,
  accounts: AccountRecords,
  audit: AuditLog,
  { simulator }: SeedDto,
): Promise<string> {
  const present = await manager.findOneBy(AccountEntity, { name: demoName });
  if (present) return present.id;
  const account = await accounts.addAccount(manager, {
    name: demoName,
    phone_number_id: '100000000000001',
    business_account_id: '200000000000001',
    display_phone_number: '+15550783881',
    access_token: simulator.access_token,
    app_secret: simulator.app_secret,
    messages_per_second: null,
  });
  await audit.record(manager, actor, {
    action: 'account.created',
    accountId: account.id,
    subjectId: account.id,
    subjectName: account.name,
  });
  return account.id;
}

async function demoKey(
  manager: EntityManager,
  accountId: string,
  { keys, endpoints, audit }: { keys: ApiKeyRecords; endpoints: EndpointRecords; audit: AuditLog },
  key: DigestedKey,
  { webhook_url, event_feed }: SeedDto,
): Promise<void> {
  const name = 'demo';
  const present = await manager.findOneBy(ApiKeyEntity, [
    { accountId, name },
    { digest: key.digest },
  ]);
  if (present) return followReceiver(manager, endpoints, present, webhook_url);
  const settings = {
    name,
    description: 'Made by npm start',
    permissions: [...permissions],
    rate_limit_per_minute: 1_000_000,
    daily_limit: 10_000_000,
    webhook_url,
    event_feed,
  };
  const { record } = await keys.addKey(manager, accountId, settings, key);
  await audit.record(manager, actor, {
    action: 'api_key.created',
    accountId,
    subjectId: record.id,
    subjectName: record.name,
    details: { shown: ['key'] },
  });
}

/** The simulator may have a different port than after the previous start. */
async function followReceiver(
  manager: EntityManager,
  endpoints: EndpointRecords,
  key: ApiKeyEntity,
  url: string | undefined,
): Promise<void> {
  const webhook = await endpoints.lockDefault(manager, key.id);
  const isOurs = webhook.url !== null && url && pathOf(webhook.url) === pathOf(url);
  if (isOurs && webhook.url !== url) await endpoints.change(manager, webhook, { url });
}

const pathOf = (url: string) => new URL(url).pathname;
