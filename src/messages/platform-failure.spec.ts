import type { PlatformError } from '#libs/whatsapp';
import { platformFailure } from './platform-failure.js';

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
    [null, 'Message undeliverable'],
    ['Message Undeliverable.', 'Message undeliverable'],
    ['message undeliverable', 'Message undeliverable'],
    ['The recipient has no WhatsApp.', 'Message undeliverable: The recipient has no WhatsApp.'],
  ])('says nothing twice, with the details %j', (details, message) => {
    expect(platformFailure(refusal(details), 400).message).toBe(message);
  });
});
