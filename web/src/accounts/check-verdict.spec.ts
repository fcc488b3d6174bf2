import { describe, expect, it } from '@jest/globals';
import { checkVerdict } from './check-verdict.ts';

const health = (display: string | null, canSend: string | null = 'AVAILABLE') => ({
  display_phone_number: display,
  can_send_message: canSend,
});

describe('the verdict on a number', () => {
  it.each(['15550783881', '+1 555-078-3881', null])(
    'is green for the number of the account: %s',
    (seen) => {
      expect(checkVerdict('+15550783881', health(seen))).toEqual({
        tone: 'green',
        title: 'The number can send.',
      });
    },
  );

  it('is not green for another number, and names both', () => {
    expect(checkVerdict('+1 (555) 078-3881', health('15559000001'))).toEqual({
      tone: 'amber',
      title: 'WhatsApp has another number for this phone number id.',
      text: 'Messages go out from +15559000001; this account says +15550783881. Correct the number or the phone number id below.',
    });
  });

  it('names the other number where it cannot send either', () => {
    expect(checkVerdict('+15550783881', health('+15559000001', 'BLOCKED'))).toMatchObject({
      tone: 'amber',
      title: 'WhatsApp says BLOCKED.',
      text: expect.stringMatching(/^WhatsApp has another number .*\+15559000001.*\+15550783881/),
    });
  });
});
