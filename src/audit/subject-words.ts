/** What the console calls the kinds of jobs. */
export const jobNames = {
  redeliver: 'Redeliver all',
  resend: 'Send all again',
  cancel: 'Cancel all',
} as const;

/** What the console calls the types of messages. */
export const messageTypeNames = {
  list: 'List',
  button: 'Buttons',
  cta_url: 'Link button',
  location_request: 'Location request',
  contact_request: 'Contact request',
  flow: 'Flow',
  carousel: 'Carousel',
  text: 'Text',
  media: 'Media',
  location: 'Location',
  contacts: 'Contacts',
  reaction: 'Reaction',
  template: 'Template',
} as const;

/** What the log shows in place of the name of a message, whose type is stored. */
export const messageNames = Object.fromEntries(
  Object.entries(messageTypeNames).map(([type, name]) => [
    type === 'template' ? 'template_send' : type,
    `${name} message`,
  ]),
);
