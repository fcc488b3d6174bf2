/** Every permission with what it allows, in the order of the form. */
export const permissionLines = [
  { name: 'send_text', allows: 'Send text, list and button messages', noun: 'text' },
  {
    name: 'send_media',
    allows: 'Send images, video, audio, documents and stickers',
    noun: 'media',
  },
  {
    name: 'send_template',
    allows: 'Send approved templates; these can open a conversation',
    noun: 'template',
  },
  {
    name: 'view_messages',
    allows: 'Read status, timeline and errors of this account’s messages',
    noun: 'messages',
  },
  {
    name: 'manage_contacts',
    allows: 'Look up users by phone number or user id; record consent',
    noun: 'contacts',
  },
  {
    name: 'manage_campaigns',
    allows: 'Send one template to many recipients; needs “send templates”, too',
    noun: 'campaigns',
  },
  {
    name: 'manage_webhooks',
    allows: 'Add, change and test webhooks of this key',
    noun: 'webhooks',
  },
  { name: 'view_templates', allows: 'List templates and their variables', noun: 'templates' },
] as const;

export const eventLines = [
  { name: 'message.received', tells: 'Button taps, list choices, any message' },
  { name: 'message.status', tells: 'Sent, delivered, read, failed' },
  { name: 'message.echo', tells: 'What you write in the WhatsApp Business app' },
  { name: 'message.standby', tells: 'Messages that Meta’s own agent answers' },
  { name: 'contact.changed', tells: 'A user has another number or user id' },
  { name: 'contact.consent', tells: 'A user has opted in or out' },
  { name: 'campaign.status', tells: 'A campaign has begun, paused, ended' },
  {
    name: 'alert.raised',
    tells: 'The account needs attention; for endpoints of the whole account',
  },
  { name: 'alert.resolved', tells: 'It needs no attention any more' },
] as const;
