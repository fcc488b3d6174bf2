/** Fields of WhatsApp's webhooks that say something to Parley. Endpoints in WhatsApp's own form get others, too. */
export const whatsappFields = [
  'messages',
  'smb_message_echoes',
  'standby',
  'calls',
  'user_preferences',
  'message_template_status_update',
  'message_template_quality_update',
  'message_template_components_update',
  'template_category_update',
  'account_update',
  'phone_number_quality_update',
  'business_capability_update',
] as const;

/** How lists name what came under a field of WhatsApp. */
export const whatsappEventForm = /^whatsapp\.[a-z0-9_]{1,64}$/;
