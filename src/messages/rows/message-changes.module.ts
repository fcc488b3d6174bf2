import { Module } from '@nestjs/common';
import { ToldForms } from '../../contacts/forms/told-forms.js';
import { MessageClaims } from './message-claims.js';
import { MessageConclusions } from './message-conclusions.js';
import { MessageEndings } from './message-endings.js';
import { MessageSettlement } from './message-settlement.js';
import { OptedOutMessages } from './opted-out-messages.js';
import { ScheduledRelease } from './scheduled-release.js';
import { StatusReports } from './status-reports.js';

const providers = [
  MessageClaims,
  MessageConclusions,
  MessageEndings,
  MessageSettlement,
  OptedOutMessages,
  ScheduledRelease,
  StatusReports,
  ToldForms,
];

/** What changes messages: claim, settle, and what the platform reports later. */
@Module({ providers, exports: providers })
export class MessageChangesModule {}
