export { type Sender, WhatsAppClient, type WhatsAppClientOptions } from './client.js';
export {
  type Classification,
  classify,
  type ErrorFacts,
  findErrorFacts,
  type Handling,
  PLATFORM_ERRORS,
  type PlatformError,
  type Scope,
} from './errors.js';
export type { BrokenReason, NotWrittenReason } from './exchange.js';
export type * from './notification-events.js';
export { parseNotification } from './notifications.js';
export type * from './payloads.js';
export type { SendResult } from './send-result.js';
export { verifySignature } from './signature.js';
