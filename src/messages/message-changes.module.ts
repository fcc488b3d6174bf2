import { Module } from '@nestjs/common';
import { MessageClaims } from './message-claims.js';
import { MessageSettlement } from './message-settlement.js';

/** The worker's side of messages: claim and settle. */
@Module({
  providers: [MessageClaims, MessageSettlement],
  exports: [MessageClaims, MessageSettlement],
})
export class MessageChangesModule {}
