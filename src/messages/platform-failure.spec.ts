import type { PlatformError } from '#libs/whatsapp';
import { platformFailure } from './platform-failure.js';

const meaning = 'Recipient not on WhatsApp, or cannot receive the message';

const refusal = (details: string | null): PlatformError => ({
  code: 131_026,
  message: '(#131026) Message undeliverable',
  type: 'OAuthException',
  subcode: null,
  details,
  isTransient: null,
  fbtraceId: null,
});

describe('why WhatsApp refused a message', () => {
  it.each([
    [null, meaning],
    // The title once more, and WhatsApp's own message once more.
    [`${meaning}.`.toUpperCase(), meaning],
    ['Message Undeliverable.', meaning],
    ['message undeliverable', meaning],
    ['The number is new.', `${meaning}: The number is new.`],
  ])('says nothing twice, with the details %j', (details, message) => {
    expect(platformFailure(refusal(details), 400).message).toBe(message);
  });
});
