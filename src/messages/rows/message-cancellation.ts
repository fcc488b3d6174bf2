import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { HotStatements } from '../../database/hot-statements.js';
import { cancelCampaignMessages } from './campaign-messages.statements.js';
import * as sql from './message-cancellation.statements.js';
import { type ConcludedMessage, MessageConclusions } from './message-conclusions.js';
import { expired } from './message-endings.js';

/** Takes back what no worker has in hand. */
@Injectable()
export class MessageCancellation {
  constructor(
    private readonly statements: HotStatements,
    private readonly conclusions: MessageConclusions,
  ) {}

  /** @returns whether it was scheduled or queued, and so will never be sent. */
  async cancel(id: string): Promise<boolean> {
    // In this order: a message that is released meanwhile is queued when the second one looks.
    return (
      this.publish(await sql.cancelScheduledMessage.rows(this.statements, { id })) ||
      this.publish(await sql.cancelMessage.rows(this.statements, { id }))
    );
  }

  /**
   * Ends a message that no worker has in hand: from now on none will.
   * @param isEarly whether it ends before its time is over.
   */
  async expire(id: string, isEarly: boolean): Promise<void> {
    const failure = JSON.stringify(expired);
    this.publish(await sql.expireMessage.rows(this.statements, { id, failure, isEarly }));
  }

  /**
   * Cancels what is queued of a campaign, in the transaction that cancels the campaign.
   * @returns a function that tells of it after the commit.
   */
  async cancelCampaign(manager: EntityManager, campaignId: string): Promise<() => void> {
    const cancelled = await cancelCampaignMessages.rows(manager, { campaignId });
    return () => this.publish(cancelled);
  }

  /** @returns whether there was anything. */
  private publish(concluded: readonly ConcludedMessage[]): boolean {
    for (const message of concluded) this.conclusions.publish(message);
    return concluded.length > 0;
  }
}
