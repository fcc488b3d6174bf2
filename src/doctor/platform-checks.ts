import type { DataSource } from 'typeorm';
import { request } from 'undici';
import { WhatsAppClient } from '#libs/whatsapp';
import { AccountEntity } from '../accounts/account.entity.js';
import type { Config } from '../config/config.js';
import { userAgent } from '../config/version.js';
import { trialUserAgent } from '../notifications/intake/platform-handshakes.js';
import { forgetHeard } from '../notifications/last-notifications.js';
import { SecretBox } from '../secrets/secret-box.js';
import { type Finding, Findings, reasonOf } from './finding.js';
import * as sql from './platform-checks.statements.js';

const timeoutMs = 10_000;

/** Meta is quick; if an account sends and gets no webhook for this long, something is wrong. */
const quietHours = 24;

/** What SECRET_KEY has to open, and what WhatsApp says of each active account. */
export async function checkAccounts(config: Config, dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('platform');
  const accounts = await dataSource
    .getRepository(AccountEntity)
    .find({ where: { active: true }, order: { id: 'asc' } });
  if (accounts.length === 0) {
    findings.warn('there is no active account: create one in the dashboard');
    return findings.list;
  }
  const client = new WhatsAppClient({
    baseUrl: config.platformBaseUrl,
    userAgent,
    connections: 1,
    timeoutMs,
  });
  try {
    for (const account of accounts) {
      await checkAccount({ config, client, dataSource }, account, findings);
    }
  } finally {
    await client.destroy();
  }
  return findings.list;
}

async function checkAccount(
  {
    config,
    client,
    dataSource,
  }: { config: Config; client: WhatsAppClient; dataSource: DataSource },
  account: AccountEntity,
  findings: Findings,
): Promise<void> {
  const { id, name, phoneNumberId, businessAccountId } = account;
  let accessToken: string;
  try {
    const secrets = new SecretBox(config.secretKeys);
    accessToken = secrets.open(account.accessToken, `accounts.access_token.${id}`);
    secrets.open(account.appSecret, `accounts.app_secret.${id}`);
  } catch (error) {
    findings.fail(`${name}: SECRET_KEY does not open its credentials: ${reasonOf(error)}`);
    return;
  }
  const result = await client.getPhoneNumber({ phoneNumberId, accessToken });
  if (!result.ok) {
    findings.fail(`${name}: WhatsApp rejects its token or number: ${reasonOf(result.error)}`);
    return;
  }
  const { canSendMessage, displayPhoneNumber, qualityRating } = result.phoneNumber;
  const number = `${name}: ${displayPhoneNumber ?? phoneNumberId}`;
  if (canSendMessage === 'BLOCKED') findings.fail(`${number} may not send; see Meta's dashboard`);
  else findings.ok(`${number} may send, quality ${qualityRating ?? 'unknown'}`);
  try {
    const apps = await client.listSubscribedApps({ businessAccountId, accessToken });
    if (apps.length > 0) findings.ok(`${name}: notifications go to ${apps.join(', ')}`);
    else {
      await forgetHeard(dataSource, id);
      findings.fail(
        `${name}: no app is subscribed to the business account, so no status and no reply arrives: POST /${businessAccountId}/subscribed_apps`,
      );
    }
  } catch (error) {
    findings.warn(`${name}: the subscription cannot be read: ${reasonOf(error)}`);
  }
}

/** Whether Meta's handshake would work, asked over the public address. */
export async function checkHandshake(config: Config): Promise<Finding[]> {
  const findings = new Findings('webhook');
  if (config.publicUrl === null || config.platformVerifyToken === null) {
    findings.warn('not tried: it needs PUBLIC_URL and PLATFORM_VERIFY_TOKEN');
    return findings.list;
  }
  const url = new URL('/api/v1/platform/whatsapp/webhooks', config.publicUrl);
  const challenge = String(Date.now());
  url.search = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': config.platformVerifyToken,
    'hub.challenge': challenge,
  }).toString();
  try {
    const { statusCode, body } = await request(url, {
      headers: { 'user-agent': trialUserAgent },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const text = await body.text();
    if (statusCode === 200 && text === challenge) {
      findings.ok(
        `${url.origin}${url.pathname} answers the handshake; give Meta this address with /ACCOUNT_ID at its end`,
      );
    } else findings.fail(`${url.origin}${url.pathname} answers ${statusCode} to the handshake`);
  } catch (error) {
    findings.fail(`${url.origin} cannot be reached: ${reasonOf(error)}`);
  }
  return findings.list;
}

/** Whether accounts that send messages also get notifications. */
export async function checkNotifications(dataSource: DataSource): Promise<Finding[]> {
  const findings = new Findings('webhook');
  const row = await sql.findTraffic.row(dataSource, { within: `${quietHours} hours` });
  if (row?.sends && !row.hears) {
    findings.fail(`messages were sent in the last ${quietHours} h, but WhatsApp reported nothing`);
  }
  if (row?.hears) findings.ok(`notifications came in the last ${quietHours} h`);
  if (row?.set_aside) findings.warn(`${row.set_aside} events are set aside; see the dashboard`);
  return findings.list;
}
