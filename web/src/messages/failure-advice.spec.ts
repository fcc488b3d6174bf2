import { describe, expect, it } from '@jest/globals';
import { errorTexts } from '../../../libs/whatsapp/error-texts.ts';
import { failureAdvice, headline, objection, unconfirmedAdvice } from './failure-advice.ts';

describe('what follows from a failure', () => {
  it('says what “Send again…” does where it stands next to it', () => {
    expect(failureAdvice({ retryable: true, isOffered: true })).toBe(
      'Parley does not try this message again. It may succeed later: “Send again…” sends a new message with the same content.',
    );
    expect(failureAdvice({ retryable: false, isOffered: true })).toBe(
      'Parley does not try this message again. Remove the cause first: “Send again…” sends a new message with the same content, which is otherwise refused again.',
    );
  });

  it('names no button that is not there', () => {
    expect(failureAdvice({ retryable: true, isOffered: false })).toBe(
      'Parley does not try this message again. The same content may succeed later.',
    );
    expect(failureAdvice({ retryable: false, isOffered: false })).toBe(
      'Parley does not try this message again. The same content is refused again until the cause is removed.',
    );
    expect(unconfirmedAdvice(false)).not.toContain('Send again…');
  });

  it('begins with what is known to help, and contradicts it for no code', () => {
    const known = errorTexts.get('131026')?.advice;
    expect(failureAdvice({ retryable: false, isOffered: true, known })).toBe(
      'Check the number. Do not send again: reach the recipient in another way. Parley does not try this message again.',
    );
    for (const { advice } of errorTexts.values()) {
      const text = failureAdvice({ retryable: false, isOffered: true, known: advice });
      expect(text.startsWith(advice)).toBe(true);
      expect(text).not.toContain('Send again…');
    }
    expect(failureAdvice({ retryable: true, isOffered: true, known: 'Wait.' })).toMatch(
      /^Wait\. Parley .+ It may succeed later: “Send again…”/,
    );
  });

  it('names what the code means for this message', () => {
    expect(headline('General: details', 'General', 'General')).toBe('General: details');
    // Details of the general meaning would contradict its own one.
    const api =
      'Customer service window closed; a template is needed: more than 24 hours have passed';
    const [general = ''] = api.split(':');
    expect(headline(api, general, 'Refused, though it is a template')).toBe(
      'Refused, though it is a template',
    );
    expect(headline('Something else', 'General', 'Own')).toBe('Something else');
    expect(headline('Something else')).toBe('Something else');
  });

  it('says of an unconfirmed message that it may be there, and what sending it again does', () => {
    expect(unconfirmedAdvice(true)).toMatch(
      /may have it, or not\..+wait for that first\. If it is urgent, “Send again…” .+ twice\.$/,
    );
    expect(unconfirmedAdvice(false)).toMatch(/If it is urgent, ask the recipient\.$/);
  });
});

describe('the question before a message is sent again', () => {
  it('says where another try most likely fails as well', () => {
    const failed = (code: number) =>
      ({ type: 'text', error: { whatsapp_error_code: code } }) as never;
    expect(objection(failed(131026))).toMatch(
      /^Another try most likely fails as well \(131026\)\. /,
    );
    expect(objection(failed(131000))).toBeNull();
    expect(objection({ type: 'text', error: null })).toBeNull();
  });

  it.each([131047, 130472])('says so for a closed window, until it opens: %i', (code) => {
    const failed = (type: string, state?: string) =>
      objection({
        type,
        error: { whatsapp_error_code: code },
        ...(state && { window: { state } }),
      } as never);
    const against = `Another try most likely fails as well (${code}). Send a template`;
    for (const state of [undefined, 'closed', 'unknown']) {
      expect(failed('text', state)?.startsWith(against)).toBe(true);
    }
    expect(failed('text', 'open')).toBeNull();
  });

  it('does not wait for the window of a template', () => {
    const failed = (code: number) =>
      objection({ type: 'template', error: { whatsapp_error_code: code } } as never);
    expect(failed(131047)).toBeNull();
    expect(failed(130472)).toMatch(/Do not send again/);
  });
});
