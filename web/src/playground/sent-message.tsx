import { IconLoader2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { minuteMs } from '../../../libs/durations/index.ts';
import { messageQuery } from '../api/message-queries.ts';
import type { MessageStatus } from '../api/types.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { FailureReason } from '../parts/failure-reason.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { statusLooks, wordOf } from '../parts/status-badge.tsx';
import { clockTime, fullTime } from '../parts/times.ts';
import { destinationOf } from '../session/destination.ts';
import { usePlace } from '../session/session.tsx';

const texts: Readonly<Record<MessageStatus, string>> = {
  scheduled: 'Waits for its time',
  queued: 'Stored, waiting for a worker',
  sending: 'On its way to WhatsApp',
  unconfirmed: 'WhatsApp may have it. Parley does not send it again',
  sent: 'Accepted by WhatsApp',
  delivered: 'On the phone',
  read: 'Seen by the recipient',
  failed: 'Not delivered',
  cancelled: 'Cancelled before it was sent',
};

/** What usually comes after a status. */
const following: Partial<Record<MessageStatus, MessageStatus>> = {
  queued: 'sent',
  sending: 'sent',
  unconfirmed: 'sent',
  sent: 'delivered',
  delivered: 'read',
};

/** What becomes of a message, as it happens. */
export function SentMessage({ id }: { id: string }) {
  const { session } = usePlace();
  const query = useQuery(messageQuery(id));
  const message = query.data;
  if (!message) return <Skeleton rows={3} />;
  // If WhatsApp answered at once, `queued` before it is not worth showing.
  const entries = message.timeline.filter(
    ({ status }, index, all) => index === all.length - 1 || !/^(queued|sending)$/.test(status),
  );
  const next = following[message.status];
  const isWatched = query.isFetching || Date.now() - Date.parse(message.created_at) < 5 * minuteMs;
  const phone =
    session.simulator && destinationOf(message.mode, session) === 'simulator' ? message.to : null;
  return (
    <>
      <ol className="timeline">
        {entries.map(({ status, at }) => {
          const { tone, icon: Sign } = statusLooks[status];
          return (
            <li key={`${status} ${at}`}>
              <span className="timeline-sign" data-tone={tone}>
                <Sign size={14} stroke={2} aria-hidden="true" />
              </span>
              <span className="strong">{wordOf(status)}</span>
              <span className="secondary">
                {status === 'failed' && message.error ? (
                  <FailureReason error={message.error} type={message.type} />
                ) : (
                  texts[status]
                )}
              </span>
              <span className="at" title={fullTime(at)}>
                <code>{clockTime(at)}</code>
              </span>
            </li>
          );
        })}
        {next && isWatched && (
          <li>
            <span className="timeline-sign">
              <IconLoader2 size={14} stroke={2} className="turning" aria-hidden="true" />
            </span>
            <span className="secondary">Waiting for “{next}”</span>
          </li>
        )}
      </ol>
      <div className="sent-foot">
        <span className="row">
          <code title={id}>{`${id.slice(0, 13)}…${id.slice(-6)}`}</code>
          <CopyButton value={id} label="Copy message id" />
        </span>
        <span className="row wrap">
          {phone && (
            <Link to="/sandbox" search={{ phone }}>
              Reply on the sandbox phone
            </Link>
          )}
          <Link to="/messages/$messageId" params={{ messageId: id }}>
            Open message
          </Link>
        </span>
      </div>
    </>
  );
}
