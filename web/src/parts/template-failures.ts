import type { ErrorText } from '../../../libs/whatsapp/error-texts.ts';

/** What these codes mean for a message that is a template: to send a template is no help then. */
export const ofTemplates: Readonly<Record<string, ErrorText>> = {
  130472: {
    meaning: 'Held back by WhatsApp: the recipient is in an experiment of Meta',
    advice: 'Do not send again: reach the recipient in another way.',
  },
  131047: {
    meaning: 'Refused for a closed customer service window, though it is a template',
    advice: 'Templates need no open window. Ask WhatsApp support why this one was refused.',
  },
};
