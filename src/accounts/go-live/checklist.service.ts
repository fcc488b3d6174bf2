import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type AccessTokenFacts,
  type PhoneNumberResult,
  PlatformRequestError,
} from '#libs/whatsapp';
import type { Actor } from '../../access/signed-in-user.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Config } from '../../config/config.js';
import { type Answer, answerOf } from '../../platform/platform-answer.js';
import { PlatformClients } from '../../platform/platform-clients.js';
import { platformRefusal } from '../../platform/platform-unavailable.js';
import type { AccountDto } from '../accounts.dto.js';
import { AccountsService } from '../accounts.service.js';
import { factsOf } from '../health/health-facts.js';
import { storeHealth } from '../health/number-health.js';
import { PlatformNumbers } from '../platform-numbers.js';
import { type ChecklistDto, type ChecklistItemDto, checklistIds } from './checklist.dto.js';
import * as sql from './checklist.service.statements.js';
import {
  type Judged,
  judgeCallback,
  judgeGraphVersion,
  judgeNumber,
  judgePayment,
  judgeSubscription,
  judgeTestMessage,
  judgeToken,
  judgeWebhook,
  type WebhookFacts,
} from './checklist-rows.js';

/** An account with more messages than these and no live one among them has only tried the simulator lately. */
const messagesLookedAt = 10_000;

/** An account is verified once these hold together. */
const verifying: readonly ChecklistItemDto['id'][] = ['token', 'number', 'callback'];

/** Questions that were asked: the checks, and the answers that say more. */
interface Begun {
  readonly checks: Record<ChecklistItemDto['id'], Judged | Promise<Judged>>;
  readonly number: Promise<PhoneNumberResult>;
  readonly token: Promise<Answer<AccessTokenFacts>>;
}

/** What accounts need before they go live: asks the platform, and does what can be done from here. */
@Injectable()
export class ChecklistService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly platform: PlatformClients,
    private readonly numbers: PlatformNumbers,
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Checks everything at once, and stores what WhatsApp says of number and token. An account for which token, number and
   * callback hold counts as verified from then on.
   * @throws AppError NOT_FOUND
   */
  async read(id: string): Promise<ChecklistDto> {
    const account = await this.accounts.get(id);
    const { checks, number, token } = await this.begin(account);
    const items = await Promise.all(
      checklistIds.map(async (item) => ({
        id: item,
        ...(await checks[item]),
        checked_at: new Date(),
      })),
    );
    const health = factsOf(await number, await token);
    await this.dataSource.transaction((manager) => storeHealth(manager, id, health));
    const holds = ({ state }: ChecklistItemDto) => state === 'done';
    if (items.filter((item) => verifying.includes(item.id)).every(holds)) await this.verify(id);
    return {
      items,
      callback_url: `${this.config.apiUrl}/api/v1/platform/whatsapp/webhooks/${id}`,
      verify_token: this.config.platformVerifyToken,
    };
  }

  /**
   * Has the account's webhooks sent to the app of its token.
   * @throws AppError NOT_FOUND, PLATFORM_REFUSED, SERVICE_UNAVAILABLE
   */
  async subscribe(id: string, actor: Actor): Promise<ChecklistDto> {
    const account = await this.accounts.get(id);
    const credentials = await this.platform.credentialsOf(id);
    await this.carryOut(
      this.numbers.client.subscribeApp(credentials),
      'WhatsApp did not subscribe the app.',
    );
    await this.record(account, actor, 'account.app_subscribed', {
      business_account_id: credentials.businessAccountId,
    });
    return this.read(id);
  }

  /**
   * Registers the account's number for the Cloud API.
   * @param pin goes to the platform and nowhere else.
   * @throws AppError NOT_FOUND, PLATFORM_REFUSED, SERVICE_UNAVAILABLE
   */
  async register(id: string, pin: string, actor: Actor): Promise<ChecklistDto> {
    const account = await this.accounts.get(id);
    const credentials = await this.platform.credentialsOf(id);
    await this.carryOut(
      this.numbers.client.registerNumber(credentials, pin),
      'WhatsApp did not register the number.',
    );
    await this.record(account, actor, 'account.number_registered', {
      phone_number_id: credentials.phoneNumberId,
    });
    return this.read(id);
  }

  private async begin(account: AccountDto): Promise<Begun> {
    const { client } = this.numbers;
    const [credentials, webhooks, acceptedAt] = await Promise.all([
      this.platform.credentialsOf(account.id),
      this.webhookFacts(account.id),
      this.newestAccepted(account.id),
    ]);
    const hasVerifyToken = this.config.platformVerifyToken !== null;
    const token = answerOf(client.inspectToken(credentials.accessToken));
    const number = client.getPhoneNumber(credentials);
    const checks = {
      token: token.then(judgeToken),
      number: number.then((result) => judgeNumber(result, account.display_phone_number)),
      callback: judgeCallback(webhooks, hasVerifyToken),
      subscription: answerOf(client.listSubscribedApps(credentials)).then((answer) =>
        judgeSubscription(answer, account.business_account_id),
      ),
      webhook: judgeWebhook(webhooks),
      payment: answerOf(client.getFundingId(credentials)).then(judgePayment),
      graph_version: judgeGraphVersion(this.config.platformBaseUrl, new Date()),
      test_message: judgeTestMessage(acceptedAt),
    };
    return { checks, number, token };
  }

  private async webhookFacts(id: string): Promise<WebhookFacts> {
    const row = await sql.findWebhookFacts.row(this.dataSource, { accountId: id });
    return row ?? { confirmedAt: null, firstAt: null, lastAt: null };
  }

  /** When the newest live message was made that the platform accepted, or null. */
  private async newestAccepted(id: string): Promise<Date | null> {
    const row = await sql.findNewestAccepted.row(this.dataSource, {
      accountId: id,
      limit: messagesLookedAt,
    });
    return row?.at ?? null;
  }

  private async verify(id: string): Promise<void> {
    await sql.noteVerified.run(this.dataSource, { accountId: id });
  }

  private async carryOut(work: Promise<void>, refused: string): Promise<void> {
    try {
      await work;
    } catch (error) {
      throw error instanceof PlatformRequestError ? platformRefusal(error, refused) : error;
    }
  }

  private record(
    { id, name }: AccountDto,
    actor: Actor,
    action: `account.${string}`,
    details: Record<string, string>,
  ): Promise<void> {
    return this.audit.record(this.dataSource.manager, actor, {
      action,
      accountId: id,
      subjectId: id,
      subjectName: name,
      details,
    });
  }
}
