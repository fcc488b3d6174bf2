export {
  type AnswerInfo,
  type CallOptions,
  type CampaignOptions,
  Parley,
  type ParleyOptions,
  type ReadOptions,
  type SendOptions,
} from './client.js';
export {
  ConnectionError,
  type ErrorCode,
  ParleyError,
  RateLimitError,
  SendFailedError,
  ValidationFailedError,
} from './errors.js';
export { type SignedRequest, signatureHeaders } from './signing.js';
export type * from './types.js';
export {
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
