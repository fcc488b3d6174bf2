export type { AccessTokenFacts } from './access-token.js';
export { WhatsAppClient, type WhatsAppClientOptions } from './client.js';
export { errorTextOf } from './error-texts.js';
export {
  type Classification,
  classify,
  type ErrorFacts,
  findErrorFacts,
  type Handling,
  isWindowClosed,
  type PlatformError,
  platformErrors,
  type Scope,
} from './errors.js';
export type { BrokenReason, NotWrittenReason } from './exchange.js';
export { graphVersionOf, graphVersionText } from './graph-version.js';
export type { Media, MediaDownload, MediaUpload } from './media.js';
export type * from './notification-events.js';
export { type NotificationPart, notificationParts } from './notification-parts.js';
export { parseNotification } from './notifications.js';
export type * from './payloads.js';
export type {
  CanSendMessage,
  HealthEntity,
  PhoneNumber,
  PhoneNumberResult,
} from './phone-number.js';
export { PlatformRequestError, type PlatformRequestFailure } from './reads.js';
export type { SendResult } from './send-result.js';
export type { Sender } from './sender.js';
export { isSignedWith, parseSignature, signatureOf } from './signature.js';
export {
  type BusinessAccount,
  isTemplateComponent,
  type TemplateDefinition,
  type TemplateDefinitionButton,
  type TemplateDefinitionComponent,
  type TemplateListOptions,
} from './templates.js';
