import { IconCalendarTime, IconCornerUpLeft, IconWebhook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery, MessageDetails, MessageStatus } from '../api/types.ts';
import { lastAttempt, triesOf } from '../deliveries/attempt-words.ts';
import { EventName } from '../deliveries/delivery-answer.tsx';
import { namedEndpoint } from '../deliveries/named-endpoint.ts';
import { Card } from '../parts/card.tsx';
import { HttpCode } from '../parts/http-code.tsx';
import { type Look, StatusBadge, statusLooks, wordOf } from '../parts/status-badge.tsx';
import { clockTime, dateAndTime, duration, fullTime, timeUntil } from '../parts/times.ts';
import { useZone } from '../parts/zone.ts';
import { FailedStep, UnconfirmedStep } from './failed-step.tsx';
import { deliveredWords, endWords, type TimelineLine, timelineLines } from './timeline-lines.ts';
import { TryStep } from './try-step.tsx';

interface TimelineCardProps {
  readonly message: MessageDetails;
  /** The events about the message and about the answers to it, newest first. */
  readonly deliveries: readonly Delivery[];
  /** Whether there are more of them than these. */
  readonly hasMore: boolean;
}

const answerLook: Look = { tone: 'green', icon: IconCornerUpLeft };
const futureLook: Look = { tone: 'gray', icon: IconCalendarTime };

/** The message from its acceptance on: each try, what WhatsApp said, what webhooks got, what the user answered. */
export function TimelineCard({ message, deliveries, hasMore }: TimelineCardProps) {
  useZone();
  const { timeline, attempts, send_at: sendAt, next_attempt_at: nextTry, message_id: id } = message;
  const end = endWords(timeline);
  const lines = timelineLines({ timeline, attempts, deliveries });
  // What went wrong stands at the last step that can say so.
  const wrong = lines.findLast(
    (line) => line.kind === 'status' && /^(failed|unconfirmed|cancelled)$/.test(line.status),
  );
  return (
    <Card title="Timeline" aside={end && <span className="secondary">{end}</span>}>
      <ol className="timeline story" aria-live="polite">
        {lines.map((line, index) => (
          <Step
            // Two things of one kind may have happened at once, and none ever moves before another.
            key={`${line.kind} ${line.at} ${index}`}
            line={line}
            message={message}
            isFirst={index === 0}
            isWrong={line === wrong}
          />
        ))}
        {message.status === 'scheduled' && sendAt && (
          <Line look={futureLook} title="To be sent" at={null}>
            at {dateAndTime(sendAt)} ({timeUntil(sendAt)})
          </Line>
        )}
        {nextTry && (
          <Line look={futureLook} title="Next try" at={null}>
            at {dateAndTime(nextTry)} ({timeUntil(nextTry)})
          </Line>
        )}
      </ol>
      {deliveries.length > 0 && (
        <div className="table-foot">
          <span className="quiet">{hasMore && 'Older deliveries are not shown here.'}</span>
          <Link to="/webhooks" search={{ message: id }}>
            View in Webhooks
          </Link>
        </div>
      )}
    </Card>
  );
}

interface StepProps {
  readonly line: TimelineLine;
  readonly message: MessageDetails;
  readonly isFirst: boolean;
  readonly isWrong: boolean;
}

function Step({ line, message, isFirst, isWrong }: StepProps) {
  const time = { at: line.at, gapMs: line.gapMs };
  switch (line.kind) {
    case 'attempt':
      return (
        <Line look={tryLook(line, message.status)} title={`Try ${line.attempt.number}`} {...time}>
          <TryStep attempt={line.attempt} next={line.next} message={message} />
        </Line>
      );
    case 'answer':
      return (
        <Line look={answerLook} title="Answered" {...time}>
          {line.text}
        </Line>
      );
    case 'delivery':
      return <DeliveryStep delivery={line.delivery} message={message} time={time} />;
    case 'status':
      return (
        <Line
          look={statusLooks[line.status]}
          title={wordOf(line.status)}
          isWrong={isWrong && line.status === 'failed'}
          note={isWrong && <Reason message={message} />}
          {...time}
        >
          {line.text}
          {isFirst && <Asked message={message} />}
        </Line>
      );
  }
}

/** What went wrong. */
function Reason({ message }: { message: MessageDetails }) {
  if (message.status === 'unconfirmed') return <UnconfirmedStep message={message} />;
  return message.error && <FailedStep message={message} error={message.error} />;
}

/** Who asked for it, and what it says. */
function Asked({ message }: { message: MessageDetails }) {
  return (
    <>
      {message.api_key_name !== null && <>, from key “{message.api_key_name}”</>}
      {message.text && <div className="story-quote">“{message.text}”</div>}
    </>
  );
}

function DeliveryStep(props: {
  delivery: Delivery;
  message: MessageDetails;
  time: { at: string; gapMs: number | null };
}) {
  const { delivery, message, time } = props;
  const last = lastAttempt(delivery);
  const endpoint = namedEndpoint(delivery);
  const { status, attempts } = delivery;
  const delivered = deliveredWords(delivery);
  return (
    <Line look={{ tone: statusLooks[status].tone, icon: IconWebhook }} title="Webhook" {...time}>
      <Link
        to="/webhooks/$deliveryId"
        params={{ deliveryId: delivery.id }}
        search={{ message: message.message_id }}
      >
        <EventName delivery={delivery} />
      </Link>
      {endpoint && <> to {endpoint}</>} {status !== 'succeeded' && <StatusBadge status={status} />}{' '}
      {last && <HttpCode status={last.status_code} />}{' '}
      {last && attempts.length === 1 && duration(last.duration_ms)}
      {attempts.length > 1 && triesOf(attempts.length)}
      {delivered && ` · ${delivered}`}
    </Line>
  );
}

interface LineProps {
  readonly look: Look;
  readonly title: string;
  /** Null: it has not happened yet. */
  readonly at: string | null;
  readonly gapMs?: number | null;
  readonly isWrong?: boolean;
  /** Below the line, over its whole width. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

function Line({ look, title, at, gapMs = null, isWrong = false, note, children }: LineProps) {
  const { tone, icon: Sign } = look;
  return (
    <li data-wrong={isWrong || undefined}>
      <span className="timeline-sign" data-tone={tone}>
        <Sign size={14} stroke={2} aria-hidden="true" />
      </span>
      <span className="strong">{title}</span>
      <div className="story-text secondary">{children}</div>
      {at !== null && (
        <span className="at" title={fullTime(at)}>
          {gapMs !== null && `+${duration(gapMs)}  `}
          <code>{clockTime(at)}</code>
        </span>
      )}
      {note && <div className="story-note">{note}</div>}
    </li>
  );
}

/** A try that led to another one is no failure yet. */
const tryLook = (
  { attempt, next }: Extract<TimelineLine, { kind: 'attempt' }>,
  status: MessageStatus,
): Look => {
  if (attempt.outcome === 'accepted') return { ...statusLooks.sent, tone: 'green' };
  if (next || status === 'queued' || attempt.outcome === 'ambiguous') return statusLooks.retrying;
  return statusLooks.failed;
};
