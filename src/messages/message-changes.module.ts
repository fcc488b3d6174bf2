import { Module } from '@nestjs/common';
import { MessageClaims } from './message-claims.js';
import { MessageConclusions } from './message-conclusions.js';
import { MessageSettlement } from './message-settlement.js';
import { StatusReports } from './status-reports.js';

/** What changes messages: claim, settle, and what the platform reports later. */
@Module({
  providers: [MessageClaims, MessageConclusions, MessageSettlement, StatusReports],
  exports: [MessageClaims, MessageConclusions, MessageSettlement, StatusReports],
})
export class MessageChangesModule {}
