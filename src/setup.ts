import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Type } from 'class-transformer';
import { IsEmail, IsString, MinLength, ValidateNested } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { permissions } from './api-keys/api-key.entity.js';
import { digestOfApiKey, displayOfApiKey } from './api-keys/api-key-token.js';
import { KeyPepper } from './api-keys/key-pepper.js';
import { Config } from './config/config.js';
import { dataSourceOptions } from './database/data-source-options.js';
import { newId } from './database/ids.js';
import { validate } from './http/body.pipe.js';
import { SecretBox } from './secrets/secret-box.js';
import { start } from './start.js';
import { Passwords } from './users/passwords.js';

class SimulatorSecretsDto {
  @IsString()
  app_secret: string;

  @IsString()
  access_token: string;
}

/** What `npm start` hands over on standard input. */
class SetupDto {
  @IsEmail({ require_tld: false })
  admin_email: string;

  @MinLength(8)
  admin_password: string;

  @IsString()
  api_key: string;

  @ValidateNested()
  @Type(() => SimulatorSecretsDto)
  simulator: SimulatorSecretsDto;
}

const demoName = 'Demo';
const demoPhoneNumberId = '100000000000001';
const demoBusinessAccountId = '200000000000001';
const demoPhoneNumber = '+15550783881';

/** The first operator, the demo account and its key; whatever is there already stays as it is. */
start(async () => {
  const config = new Config(process.env);
  const given = validate(SetupDto, JSON.parse(await text(process.stdin)));
  const dataSource = await new DataSource(dataSourceOptions(config.databaseUrl)).initialize();
  try {
    const secrets = new SecretBox(config.secretKeys);
    const pepper = await new KeyPepper(dataSource, secrets).get();
    const accountId = await dataSource.transaction(async (manager) => {
      await createOperator(manager, given);
      const account = await createAccount(manager, given, secrets);
      await createDemoKey(manager, account, given.api_key, pepper, secrets);
      return account;
    });
    process.stdout.write(`${JSON.stringify({ account_id: accountId })}\n`);
  } finally {
    await dataSource.destroy();
  }
});

async function createOperator(manager: EntityManager, given: SetupDto): Promise<void> {
  const passwordHash = await new Passwords().hash(given.admin_password);
  await manager.query(
    `insert into users (id, email, password_hash, role)
     select $1, $2, $3, 'operator' where not exists (select 1 from users where role = 'operator')`,
    [newId(), given.admin_email, passwordHash],
  );
}

async function createAccount(
  manager: EntityManager,
  given: SetupDto,
  secrets: SecretBox,
): Promise<string> {
  const id = newId();
  await manager.query(
    `insert into accounts (id, name, phone_number_id, business_account_id, display_phone_number,
                           access_token, app_secret)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (name) do nothing`,
    [
      id,
      demoName,
      demoPhoneNumberId,
      demoBusinessAccountId,
      demoPhoneNumber,
      secrets.seal(given.simulator.access_token, `accounts.access_token.${id}`),
      secrets.seal(given.simulator.app_secret, `accounts.app_secret.${id}`),
    ],
  );
  const [account]: { id: string }[] = await manager.query(
    'select id from accounts where name = $1',
    [demoName],
  );
  if (!account) throw new Error('the demo account could not be made');
  return account.id;
}

async function createDemoKey(
  manager: EntityManager,
  accountId: string,
  key: string,
  pepper: Buffer,
  secrets: SecretBox,
): Promise<void> {
  const id = newId();
  const secret = (prefix: string, place: string) =>
    secrets.seal(`${prefix}${randomBytes(32).toString('base64')}`, `api_keys.${place}.${id}`);
  await manager.query(
    `insert into api_keys (id, account_id, name, description, mode, digest, display, permissions,
       rate_limit_per_minute, daily_limit, signing_secret, webhook_secret)
     values ($1, $2, 'demo', 'Made by npm start', 'live', $3, $4, $5, 1000000, 10000000, $6, $7)
     on conflict do nothing`,
    [
      id,
      accountId,
      digestOfApiKey(key, pepper),
      displayOfApiKey(key),
      permissions,
      secret('sgsec_', 'signing_secret'),
      secret('whsec_', 'webhook_secret'),
    ],
  );
}
