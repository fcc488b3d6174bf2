import type { Delivery } from '../api/types.ts';
import { HttpCode } from '../parts/http-code.tsx';
import { lastAttempt, triesOf } from './attempt-words.ts';

/** What the endpoint said last, and after how many tries. */
export function DeliveryAnswerCell({ delivery }: { delivery: Delivery }) {
  const last = lastAttempt(delivery);
  if (!last) return <span className="quiet">–</span>;
  return (
    <>
      <HttpCode status={last.status_code} />
      {delivery.attempts.length > 1 && (
        <div className="small">{triesOf(delivery.attempts.length)}</div>
      )}
    </>
  );
}

/** The name of an event and what it says. */
export function EventName({ delivery }: { delivery: Delivery }) {
  return (
    <>
      <code className="event-name">{delivery.event}</code>{' '}
      {delivery.summary && <span className="quiet event-summary">{delivery.summary}</span>}
    </>
  );
}
