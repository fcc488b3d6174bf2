/** Fields of the platform's webhooks that change nothing here. */
const ignoredFields = new Set([
  'account_alerts',
  'account_review_update',
  'business_capability_update',
  'business_username_updates',
  'calls',
  'flows',
  'history',
  'messaging_handovers',
  'phone_number_name_update',
  'security',
  'smb_app_state_sync',
  'smb_message_echoes',
  'standby',
]);

/** The field as metrics name it: the platform may send any text, and each value makes a series. */
export function ignoredField(field: string): string {
  return ignoredFields.has(field) ? field : 'other';
}
