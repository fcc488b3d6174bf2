/** What a key may do. */
export const permissions = [
  'send_template',
  'send_text',
  'send_media',
  'view_templates',
  'view_messages',
  'manage_contacts',
  'manage_campaigns',
  'manage_webhooks',
] as const;

export type Permission = (typeof permissions)[number];
