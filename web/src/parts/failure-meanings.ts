/** What WhatsApp's codes mean, in a few words; the message page has its own text. */
const meanings: Readonly<Record<string, string>> = {
  '130429': 'Rate limit hit · WhatsApp accepts fewer messages from this number',
  '130472': 'Service window closed · Send a template',
  '130497': 'Not allowed to message this country',
  '131008': 'A required parameter is missing',
  '131009': 'A parameter value is not valid',
  '131021': 'Recipient is the sender',
  '131026': 'Recipient not on WhatsApp · The number cannot receive',
  '131031': 'Account locked',
  '131042': 'The account has a payment problem',
  '131047': 'Re-engagement required · Send a template instead',
  '131048': 'Held back as spam',
  '131049': 'Held back by WhatsApp to protect its users',
  '131051': 'Message type not supported',
  '131052': 'Media could not be fetched',
  '131053': 'Media could not be accepted',
  '131056': 'Too many messages to this recipient',
  '132000': 'Wrong number of template parameters',
  '132001': 'Template does not exist',
  '132015': 'Template is paused',
  '132016': 'Template is disabled',
  '190': 'Access token is not valid',
  unreachable: 'WhatsApp could not be reached',
  store_unavailable: 'The account could not be read from the database',
  no_simulator: 'The worker has no simulator to send test messages to',
  expired: 'Waited too long to be sent',
  credentials_unreadable: 'The account’s access token cannot be read',
};

/** Undefined for rare codes. */
export const knownMeaningOf = (code: string): string | undefined => meanings[code];

export const meaningOf = (code: string) =>
  knownMeaningOf(code) ?? 'See the message for WhatsApp’s own text';
