import type { Attempt, MessageDetails } from '../api/types.ts';
import { HttpCode } from '../parts/http-code.tsx';
import { duration } from '../parts/times.ts';
import { attemptWords } from './attempt-words.ts';

interface TryStepProps {
  readonly attempt: Attempt;
  /** The try that followed. */
  readonly next: Attempt | undefined;
  readonly message: Pick<MessageDetails, 'type' | 'status'>;
}

/** One call to WhatsApp, and what came back. */
export function TryStep({ attempt, next, message }: TryStepProps) {
  return (
    <>
      <HttpCode status={attempt.http_status} />{' '}
      {attempt.error_code !== null && <code>{attempt.error_code} </code>}
      {attemptWords(attempt, next, message)} · {duration(attempt.duration_ms)}
      {attempt.detail && <RawAnswer attempt={attempt} text={attempt.detail} />}
    </>
  );
}

/** What came back, word for word, for those who want to read it. */
function RawAnswer({ attempt, text }: { attempt: Attempt; text: string }) {
  return (
    <details className="raw-answer">
      <summary className="small">
        {attempt.http_status === null ? 'What happened' : 'WhatsApp’s answer'}
      </summary>
      <pre
        className="answer-text"
        // A region that scrolls has to be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={`Answer to attempt ${attempt.number}`}
      >
        {text}
      </pre>
    </details>
  );
}
