import { Injectable } from '@nestjs/common';
import { PlatformRequestError } from '#libs/whatsapp';
import type { Principal } from '../../access/principal.js';
import type { MessageFailure } from '../../messages/message.js';
import { platformFailure } from '../../messages/platform-failure.js';
import { SendFailedError } from '../../messages/sends/send.service.js';
import { type ModeClients, PlatformClients } from '../../platform/platform-clients.js';
import { NumberPaces } from '../../quota/number-paces.js';
import { SecretUnreadableError } from '../../secrets/secret-box.js';
import type { MarkedReadDto, ReadReceiptDto } from './read.dto.js';

/** Requests to WhatsApp at once; more wait for a free connection. */
const connections = 16;

/** How long WhatsApp may take. */
const timeoutMs = 10_000;

/** How long a request waits for its turn where the number has a pace: messages take what is free as well. */
const paceWaitMs = 3_000;

/** Why nothing was marked, where WhatsApp has not refused it. */
const failures = {
  unreachable: 'WhatsApp could not be reached; the message is not marked.',
  unanswered: 'WhatsApp did not answer; the message may be marked or not.',
  number_busy: 'The number sends as fast as it may; the message is not marked.',
  no_simulator: 'There is no simulator for test keys.',
  credentials_unreadable: "The account's access token cannot be read.",
} as const;

/** Marks messages of users as read. */
@Injectable()
export class ReadService {
  private readonly clients: ModeClients;

  constructor(
    private readonly platform: PlatformClients,
    private readonly paces: NumberPaces,
  ) {
    this.clients = platform.open({ connections, timeoutMs });
  }

  /** @throws AppError MESSAGE_SEND_FAILED */
  async mark(
    { accountId, mode }: Principal,
    { message_id: messageId, typing }: ReadReceiptDto,
  ): Promise<MarkedReadDto> {
    const failed = (reason: keyof typeof failures) =>
      new SendFailedError(messageId, failureFor(reason));
    const client = this.clients[mode];
    if (!client) throw failed('no_simulator');
    const sender = await this.platform.credentialsOf(accountId).catch((error: unknown) => {
      throw error instanceof SecretUnreadableError ? failed('credentials_unreadable') : error;
    });
    if (mode === 'live' && !(await this.waitForTurn(accountId))) throw failed('number_busy');
    try {
      await client.markRead(sender, { messageId, isTyping: typing === true });
    } catch (error) {
      if (!(error instanceof PlatformRequestError)) throw error;
      if (!error.error) throw failed(error.wasWritten ? 'unanswered' : 'unreachable');
      throw new SendFailedError(messageId, platformFailure(error.error, error.httpStatus ?? 0));
    }
    return { message_id: messageId, typing: typing === true };
  }

  /** Whether the number may send within the time that a request waits. */
  private async waitForTurn(accountId: string): Promise<boolean> {
    const endsAt = Date.now() + paceWaitMs;
    for (;;) {
      const waitMs = await this.paces.takeToken(accountId);
      if (waitMs === 0) return true;
      if (Date.now() + waitMs > endsAt) return false;
      await pause(waitMs);
    }
  }
}

function failureFor(reason: keyof typeof failures): MessageFailure {
  return {
    code: 'MESSAGE_SEND_FAILED',
    message: failures[reason],
    retryable: true,
    platformCode: null,
    platformMessage: null,
    reason,
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
