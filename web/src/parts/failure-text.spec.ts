import { describe, expect, it } from '@jest/globals';
import { classify } from '../../../libs/whatsapp/errors.ts';
import { failureText } from './failure-text.ts';

const errorOf = (code: number) => ({
  code,
  message: 'text of WhatsApp',
  type: null,
  subcode: null,
  details: null,
  isTransient: null,
  fbtraceId: null,
});

const shown = (code: number, type = 'text') =>
  failureText(
    {
      code: 'MESSAGE_SEND_FAILED',
      message: classify(errorOf(code), 400).title,
      retryable: false,
      whatsapp_error_code: code,
      whatsapp_error_message: 'text of WhatsApp',
    },
    type,
  );

describe('failureText', () => {
  it('says what a known code means', () => {
    expect(shown(131026)).toBe('Recipient not on WhatsApp, or cannot receive the message');
  });

  it.each([
    [130472, 'Held back by WhatsApp: the recipient is in an experiment of Meta'],
    [131047, 'Refused for a closed customer service window, though it is a template'],
  ])('does not ask for a template where one was sent: %i', (code, meaning) => {
    expect(shown(code, 'template')).toBe(meaning);
    expect(shown(code)).toMatch(/a template is needed$/);
  });

  it('leaves out details that say the same once more', () => {
    const message = (code: number, details: string) =>
      failureText(
        {
          code: 'MESSAGE_SEND_FAILED',
          message: `${classify(errorOf(code), 400).title}: ${details}`,
          retryable: false,
          whatsapp_error_code: code,
        },
        'text',
      );
    expect(message(131047, 'Message failed to send because more than 24 hours have passed.')).toBe(
      'Customer service window closed; a template is needed',
    );
    expect(message(100, 'The parameter to is missing.')).toBe(
      'Invalid parameter: The parameter to is missing.',
    );
  });

  it('repeats WhatsApp’s text for an unknown code', () => {
    expect(shown(987654)).toBe('text of WhatsApp');
  });

  it.each([
    // The code stands before it already.
    ['(#131028) Unknown error', '', 'Unknown error'],
    ['(#131028) Not sent', ': The number is new.', 'Not sent: The number is new.'],
    ['(#131028)', '', 'Unknown error of the platform'],
    [null, ': The number is new.', 'Unknown error of the platform: The number is new.'],
  ])('says what WhatsApp says of an unknown code: %j, %j', (text, details, words) => {
    const error = {
      code: 'MESSAGE_SEND_FAILED',
      message: `Unknown error of the platform${details}`,
      retryable: false,
      whatsapp_error_code: 131028,
      whatsapp_error_message: text,
    };
    expect(failureText(error, 'text')).toBe(words);
  });
});
