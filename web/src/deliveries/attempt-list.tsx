import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { Delivery, DeliveryAttempt } from '../api/types.ts';
import { HttpCode } from '../parts/http-code.tsx';
import { Moment } from '../parts/moment.tsx';
import { clockTime, duration, fullTime } from '../parts/times.ts';
import { errorText, lastAttempt } from './attempt-words.ts';

/** Every attempt with its answer, the newest first. */
export function AttemptList({ delivery }: { delivery: Delivery }) {
  const { attempts, next_attempt_at: nextAt } = delivery;
  const text = errorText(delivery.error);
  return (
    <ol className="timeline attempt-list" aria-live="polite">
      {nextAt && (
        <li>
          <span className="timeline-sign">
            <IconClock size={14} aria-hidden="true" />
          </span>
          <span className="quiet grow">Try {(lastAttempt(delivery)?.number ?? 0) + 1} is due</span>
          <span className="at">
            <Moment at={nextAt} />
          </span>
        </li>
      )}
      {attempts.length === 0 && nextAt === null && text && (
        <li>
          <span className="timeline-sign" data-tone="red">
            <IconX size={14} aria-hidden="true" />
          </span>
          <span className="grow">{text}.</span>
        </li>
      )}
      {attempts.toReversed().map((attempt) => (
        <AttemptLine key={attempt.number} attempt={attempt} presentUrl={delivery.url} />
      ))}
    </ol>
  );
}

interface AttemptLineProps {
  readonly attempt: DeliveryAttempt;
  /** Where the next attempt would go. */
  readonly presentUrl: string | null;
}

function AttemptLine({ attempt, presentUrl }: AttemptLineProps) {
  const { number, status_code: status, response, error } = attempt;
  const isSuccess = error === null;
  const Sign = isSuccess ? IconCheck : IconX;
  const text = errorText(error);
  return (
    <li>
      <span className="timeline-sign" data-tone={isSuccess ? 'green' : 'red'}>
        <Sign size={14} stroke={2} aria-hidden="true" />
      </span>
      <div className="grow">
        <div className="row wrap">
          <span className="strong">Try {number}</span>
          <HttpCode status={status} />
          <span className="small">{duration(attempt.duration_ms)}</span>
          <span className="at" title={fullTime(attempt.at)}>
            <code>{clockTime(attempt.at)}</code>
          </span>
        </div>
        {attempt.url !== presentUrl && <div className="small">to {attempt.url}</div>}
        {text && <div className="secondary">{text}</div>}
        {response && (
          // A region that scrolls has to be reachable by keyboard.
          <pre
            className="answer-text"
            tabIndex={0}
            role="region"
            aria-label={`Answer to try ${number}`}
          >
            {response}
          </pre>
        )}
      </div>
    </li>
  );
}
