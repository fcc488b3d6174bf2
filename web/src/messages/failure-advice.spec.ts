import { describe, expect, it } from '@jest/globals';
import { failureAdvice } from './failure-advice.ts';

describe('what follows from a failure', () => {
  it('says what “Send again…” does where it stands next to it', () => {
    expect(failureAdvice({ retryable: true }, true)).toBe(
      'Parley does not try this message again. It may succeed later: “Send again…” sends a new message with the same content.',
    );
    expect(failureAdvice({ retryable: false }, true)).toBe(
      'Parley does not try this message again. Remove the cause first: “Send again…” sends a new message with the same content, which is otherwise refused again.',
    );
  });

  it('names no button that is not there', () => {
    expect(failureAdvice({ retryable: true }, false)).toBe(
      'Parley does not try this message again. The same content may succeed later.',
    );
    expect(failureAdvice({ retryable: false }, false)).toBe(
      'Parley does not try this message again. The same content is refused again until the cause is removed.',
    );
  });
});
