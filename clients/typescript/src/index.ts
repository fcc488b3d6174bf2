export { Parley, type ReadOptions, type RepeatableOptions, type SendOptions } from './client.js';
export {
  ConnectionError,
  type ErrorCode,
  ParleyError,
  RateLimitError,
  SendFailedError,
  ValidationFailedError,
} from './errors.js';
export { type SignedRequest, signatureHeaders } from './signing.js';
export type { AnswerInfo, CallOptions, ParleyOptions } from './transport.js';
export type * from './types.js';
export { version } from './version.js';
export {
  type AlertRaisedEvent,
  type AlertResolvedEvent,
  type CampaignStatusEvent,
  type ContactChangedEvent,
  type ContactConsentEvent,
  type MessageEchoEvent,
  type MessageReceivedEvent,
  type MessageStandbyEvent,
  type MessageStatusEvent,
  type ReceivedContent,
  type ReceivedFile,
  verifyWebhook,
  type WebhookEvent,
  WebhookRefusedError,
  type WebhookTestEvent,
} from './webhooks.js';
