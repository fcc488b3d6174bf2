import { whatsappFields } from '../../events/whatsapp-fields.js';

/** Fields of the platform's webhooks that are known by name; those that Parley reads may hold what it does not know. */
const knownFields: ReadonlySet<string> = new Set([
  ...whatsappFields,
  'account_alerts',
  'account_review_update',
  'business_username_updates',
  'flows',
  'history',
  'messaging_handovers',
  'phone_number_name_update',
  'security',
  'smb_app_state_sync',
]);

/** The field as metrics name it: the platform may send any text, and each value makes a series. */
export function ignoredField(field: string): string {
  return knownFields.has(field) ? field : 'other';
}
