import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { request } from 'undici';
import { type PhoneNumberResult, WhatsAppClient } from '#libs/whatsapp';
import { Config } from '../config/config.js';
import { LOGGER } from '../logging/logging.module.js';
import { SecretBox } from '../secrets/secret-box.js';
import type { AccountEntity } from './account.entity.js';

/** An operator looks at the answer, so it must come sooner than a send's. */
const timeoutMs = 10_000;

/** The numbers of accounts as the platform sees them. Sends nothing. */
@Injectable()
export class PlatformNumbers implements OnApplicationShutdown {
  private readonly client: WhatsAppClient;

  constructor(
    private readonly config: Config,
    private readonly secrets: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.client = new WhatsAppClient({
      baseUrl: config.platformBaseUrl,
      connections: 1,
      timeoutMs,
    });
  }

  /** Asks the platform for the health of an account's number. */
  check(account: AccountEntity): Promise<PhoneNumberResult> {
    return this.client.getPhoneNumber({
      phoneNumberId: account.phoneNumberId,
      accessToken: this.secrets.open(account.accessToken, `accounts.access_token.${account.id}`),
    });
  }

  /**
   * Registers with a simulator, if it plays the platform, which number belongs to which account. It works
   * without, under a number of its own making, so a failure is only logged.
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

  async onApplicationShutdown(): Promise<void> {
    await this.client.destroy();
  }
}
