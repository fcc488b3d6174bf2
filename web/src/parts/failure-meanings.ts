import { type ErrorText, errorTextOf } from '../../../libs/whatsapp/error-texts.ts';
import { ofTemplates } from './template-failures.ts';

/** Why WhatsApp never got to answer; its codes have a table of their own. */
const reasons: Readonly<Record<string, ErrorText>> = {
  unreachable: {
    meaning: 'WhatsApp could not be reached',
    advice: 'Check the connection of the worker, then send it again.',
  },
  store_unavailable: {
    meaning: 'The account could not be read from the database',
    advice: 'Check the database, then send it again.',
  },
  no_simulator: {
    meaning: 'The worker has no simulator to send test messages to',
    advice: 'Set SIMULATOR_URL for the worker, or send with a live key.',
  },
  expired: {
    meaning: 'Waited too long to be sent',
    advice: 'Check that a worker runs, then send it again.',
  },
  credentials_unreadable: {
    meaning: 'The account’s access token cannot be read',
    advice: 'Enter the access token of the account again.',
  },
};

/** What they mean where the message may be of any type. */
const ofAnyType: Readonly<Record<string, ErrorText>> = {
  130472: {
    meaning: 'Customer service window closed, or the recipient is in an experiment of Meta',
    advice: 'Open a message: what helps depends on its type.',
  },
  131047: {
    meaning: 'Customer service window closed',
    advice: 'Open a message: what helps depends on its type.',
  },
};

/**
 * What a code of WhatsApp or a reason means, and what to do; undefined for an unknown one.
 * @param type of the message; undefined where it may be any.
 */
export const knownTextOf = (code: string, type?: string): ErrorText | undefined =>
  (type === undefined ? ofAnyType : type === 'template' ? ofTemplates : {})[code] ??
  reasons[code] ??
  (/^\d+$/.test(code) ? errorTextOf(Number(code)) : null) ??
  undefined;

/** For a place that is not about one message: there WhatsApp's own text says more of an unknown code. */
export const meaningOf = (code: string, type?: string) =>
  knownTextOf(code, type)?.meaning ?? 'Unknown to Parley; each message has WhatsApp’s own text';
