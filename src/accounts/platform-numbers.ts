import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { request } from 'undici';
import type { AccessTokenFacts, PhoneNumberResult, WhatsAppClient } from '#libs/whatsapp';
import { Config } from '../config/config.js';
import { LOGGER } from '../logging/logging.module.js';
import { type Answer, answerOf } from '../platform/platform-answer.js';
import { PlatformClients } from '../platform/platform-clients.js';
import type { AccountEntity } from './account.entity.js';

/** An operator looks at the answer, so it must come sooner than a send's. */
const timeoutMs = 10_000;

/** What the platform says of a number and its access token. */
interface NumberAnswers {
  readonly number: PhoneNumberResult;
  readonly token: Answer<AccessTokenFacts>;
}

/** The numbers of accounts as the platform sees them. Sends nothing. */
@Injectable()
export class PlatformNumbers {
  /** For what operators ask. */
  readonly client: WhatsAppClient;

  constructor(
    private readonly config: Config,
    private readonly platform: PlatformClients,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.client = platform.open({ connections: 1, timeoutMs }).live;
  }

  /** Asks the platform for the health of an account's number, and about the token. */
  async check(accountId: string): Promise<NumberAnswers> {
    const credentials = await this.platform.credentialsOf(accountId);
    const [number, token] = await Promise.all([
      this.client.getPhoneNumber(credentials),
      answerOf(this.client.inspectToken(credentials.accessToken)),
    ]);
    return { number, token };
  }

  /**
   * Registers with a simulator, if it plays the platform, which number belongs to which account. Otherwise
   * the simulator makes up a number, which works too, so a failure is only logged.
   */
  async introduce(account: AccountEntity): Promise<void> {
    const { simulatorUrl, isPlatformSimulated } = this.config;
    if (!isPlatformSimulated) return;
    try {
      const { statusCode, body } = await request(`${simulatorUrl}/_simulator/numbers`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          phone_number_id: account.phoneNumberId,
          business_account_id: account.businessAccountId,
          display_phone_number: account.displayPhoneNumber,
        }),
        headersTimeout: 1_000,
        bodyTimeout: 1_000,
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`the simulator answered ${statusCode}`);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not register a number with the simulator');
    }
  }
}
