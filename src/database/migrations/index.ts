import { Baseline1798000000000 } from './1798000000000-baseline.js';
import { SecondFactor1798000002000 } from './1798000002000-second-factor.js';
import { SessionFacts1798000002001 } from './1798000002001-session-facts.js';
import { ScheduledMessages1798000003000 } from './1798000003000-scheduled-messages.js';
import { RequestLog1798000004000 } from './1798000004000-request-log.js';
import { Campaigns1798000005000 } from './1798000005000-campaigns.js';
import { CampaignMessages1798000005001 } from './1798000005001-campaign-messages.js';
import { Outcomes1798000006000 } from './1798000006000-outcomes.js';
import { VerifiedAccounts1798000007000 } from './1798000007000-verified-accounts.js';
import { WebhookFacts1798000007001 } from './1798000007001-webhook-facts.js';
import { CampaignCounts1798000007500 } from './1798000007500-campaign-counts.js';
import { NumberHealth1798000008000 } from './1798000008000-number-health.js';
import { KeptBodies1798000009000 } from './1798000009000-kept-bodies.js';
import { ProbesByMessage1798000010000 } from './1798000010000-probes-by-message.js';
import { CampaignContent1798000011000 } from './1798000011000-campaign-content.js';
import { SecondNames1798000011001 } from './1798000011001-second-names.js';
import { ReleaseRoom1798000011002 } from './1798000011002-release-room.js';
import { RestoredHistories1798000012000 } from './1798000012000-restored-histories.js';
import { NumberForms1798000013000 } from './1798000013000-number-forms.js';
import { WithheldEvents1798000014000 } from './1798000014000-withheld-events.js';
import { UploadNames1798000014030 } from './1798000014030-upload-names.js';
import { AccountLimits1798000014040 } from './1798000014040-account-limits.js';
import { SecretUses1798000015000 } from './1798000015000-secret-uses.js';
import { Viewers1798000015020 } from './1798000015020-viewers.js';
import { WhatsappEndpoints1798000016000 } from './1798000016000-whatsapp-endpoints.js';
import { KeyGraphAccess1798000017000 } from './1798000017000-key-graph-access.js';
import { MessageCallbackData1798000018000 } from './1798000018000-message-callback-data.js';
import { ReplyModes1798000018500 } from './1798000018500-reply-modes.js';
import { OutcomeModes1798000018501 } from './1798000018501-outcome-modes.js';
import { Jobs1798000019000 } from './1798000019000-jobs.js';
import { JobItems1798000019010 } from './1798000019010-job-items.js';
import { AlertOwners1798000020000 } from './1798000020000-alert-owners.js';
import { CheckedAlertOwners1798000020001 } from './1798000020001-checked-alert-owners.js';
import { ContactWritingHours1798000020100 } from './1798000020100-contact-writing-hours.js';
import { WrittenHours1798000020101 } from './1798000020101-written-hours.js';
import { ContactsByWriting1798000020102 } from './1798000020102-contacts-by-writing.js';
import { ContactsByWords1798000020103 } from './1798000020103-contacts-by-words.js';
import { PlainNames1798000020200 } from './1798000020200-plain-names.js';
import { ContactsByPlainWords1798000020201 } from './1798000020201-contacts-by-plain-words.js';
import { FailedMessagesOfAccount1798000020300 } from './1798000020300-failed-messages-of-account.js';
import { FailedDeliveriesOfAccount1798000020301 } from './1798000020301-failed-deliveries-of-account.js';

/** All of them, in the order in which they run. */
export const migrations = [
  Baseline1798000000000,
  SecondFactor1798000002000,
  SessionFacts1798000002001,
  ScheduledMessages1798000003000,
  RequestLog1798000004000,
  Campaigns1798000005000,
  CampaignMessages1798000005001,
  Outcomes1798000006000,
  VerifiedAccounts1798000007000,
  WebhookFacts1798000007001,
  CampaignCounts1798000007500,
  NumberHealth1798000008000,
  KeptBodies1798000009000,
  ProbesByMessage1798000010000,
  CampaignContent1798000011000,
  SecondNames1798000011001,
  ReleaseRoom1798000011002,
  RestoredHistories1798000012000,
  NumberForms1798000013000,
  WithheldEvents1798000014000,
  UploadNames1798000014030,
  AccountLimits1798000014040,
  SecretUses1798000015000,
  Viewers1798000015020,
  WhatsappEndpoints1798000016000,
  KeyGraphAccess1798000017000,
  MessageCallbackData1798000018000,
  ReplyModes1798000018500,
  OutcomeModes1798000018501,
  Jobs1798000019000,
  JobItems1798000019010,
  AlertOwners1798000020000,
  CheckedAlertOwners1798000020001,
  ContactWritingHours1798000020100,
  WrittenHours1798000020101,
  ContactsByWriting1798000020102,
  ContactsByWords1798000020103,
  PlainNames1798000020200,
  ContactsByPlainWords1798000020201,
  FailedMessagesOfAccount1798000020300,
  FailedDeliveriesOfAccount1798000020301,
];
