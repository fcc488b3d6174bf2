import {
  type Icon,
  IconChevronDown,
  IconChevronRight,
  IconDeviceMobile,
  IconHandClick,
  IconListDetails,
  IconMessage,
  IconMessageOff,
  IconPencil,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { keysQuery } from '../api/key-queries.ts';
import { conversationQuery } from '../api/simulator-queries.ts';
import type { DeliveryAnswer } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FailureState } from '../parts/failure-state.tsx';
import { HttpCode } from '../parts/http-code.tsx';
import { Moment } from '../parts/moment.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { duration } from '../parts/times.ts';
import { usePlace } from '../session/session.tsx';

/** The events about one phone, newest first, with the webhooks' answers. */
export function ReceivedCard({ phone }: { phone: string | undefined }) {
  const { accountId } = usePlace();
  const query = useQuery({
    ...conversationQuery(accountId, phone ?? ''),
    enabled: phone !== undefined,
  });
  const keys = useQuery(keysQuery(accountId)).data;
  const deliveries = query.data?.deliveries ?? [];
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  // The newest is open until the user closes it.
  const newest = deliveries.find(({ delivery }) => isMessage.has(delivery.event));
  const toggle = (id: string) =>
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const hasWebhook = keys?.some(({ webhook, state }) => webhook.url && state === 'active') ?? true;
  return (
    <Card
      title="Events sent to your program"
      aside={
        deliveries.length > 0 && (
          <Link to="/webhooks" className="small">
            All deliveries
          </Link>
        )
      }
    >
      {query.isLoading ? (
        <Skeleton />
      ) : query.error && !query.data ? (
        <FailureState error={query.error} onRetry={() => void query.refetch()} />
      ) : deliveries.length === 0 ? (
        <EmptyState
          icon={IconWebhook}
          title={hasWebhook ? 'Nothing yet' : 'No key has a webhook'}
          sentence={
            hasWebhook
              ? 'Reply on the phone: the events that your webhook gets appear here, with its answers.'
              : 'Set the webhook of a key to your program’s URL. Its events then appear here.'
          }
          action={!hasWebhook && <Link to="/keys">Open API keys</Link>}
        />
      ) : (
        <ol className="received" aria-live="polite" aria-relevant="additions">
          {deliveries.map((each) => {
            const { id } = each.delivery;
            const isOpen = (id === newest?.delivery.id) !== toggled.has(id);
            return (
              <li key={id}>
                <Received answer={each} isOpen={isOpen} onToggle={() => toggle(id)} />
              </li>
            );
          })}
        </ol>
      )}
    </Card>
  );
}

interface ReceivedProps {
  readonly answer: DeliveryAnswer;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Received({ answer, isOpen, onToggle }: ReceivedProps) {
  const { delivery, body } = answer;
  const { title, icon: Sign } = told(answer);
  const last = delivery.attempts.at(-1);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <button type="button" className="received-head row" aria-expanded={isOpen} onClick={onToggle}>
        <Sign size={18} stroke={1.65} aria-hidden="true" />
        <span className="grow">
          <span className="cut strong">{title}</span>
          <span className="cut small">
            <code>{delivery.event}</code> to {delivery.url ? new URL(delivery.url).host : 'nowhere'}
          </span>
        </span>
        <span className="received-end">
          <span className="small">
            <Moment at={delivery.created_at} />
          </span>
          <span className="row">
            {last ? (
              <>
                <span className="small">{duration(last.duration_ms)}</span>
                <HttpCode status={last.status_code} />
              </>
            ) : (
              <StatusBadge status={delivery.status} />
            )}
          </span>
        </span>
        <Chevron size={16} aria-hidden="true" />
      </button>
      {isOpen && (
        <div className="received-body">
          <CodeBlock
            language="json"
            code={JSON.stringify(JSON.parse(body), null, 2)}
            maxHeight={520}
          />
        </div>
      )}
    </>
  );
}

const isMessage: ReadonlySet<string> = new Set([
  'message.received',
  'message.standby',
  'message.echo',
]);

const verbs: Readonly<Record<string, { verb: string; icon: Icon }>> = {
  button: { verb: 'Tapped', icon: IconHandClick },
  interactive: { verb: 'Chose', icon: IconListDetails },
  text: { verb: 'Wrote', icon: IconMessage },
  edit: { verb: 'Edited to', icon: IconPencil },
};

/** What an event says, in a few words. */
function told({ delivery, body }: DeliveryAnswer): { title: string; icon: Icon } {
  if (delivery.event === 'contact.changed') {
    return { title: 'Contact changed', icon: IconUser };
  }
  if (delivery.event === 'contact.consent') {
    return { title: 'Contact opted in or out', icon: IconUser };
  }
  // In WhatsApp's own form: the name of the event stands below.
  if (delivery.event.startsWith('whatsapp.')) {
    return { title: delivery.summary ?? 'Notification of WhatsApp', icon: IconWebhook };
  }
  if (!isMessage.has(delivery.event)) {
    return { title: `Message ${delivery.summary ?? 'changed'}`, icon: IconWebhook };
  }
  const { data } = JSON.parse(body) as {
    data: { change?: string; message?: { type?: string } | null };
  };
  if (delivery.event === 'message.echo') {
    return {
      title: `Message ${data.change ?? 'sent'} in the Business app`,
      icon: IconDeviceMobile,
    };
  }
  if (data.message?.type === 'revoke') return { title: 'Deleted a message', icon: IconMessageOff };
  const { verb, icon } = verbs[data.message?.type ?? ''] ?? { verb: 'Sent', icon: IconMessage };
  return { title: `${verb} “${delivery.summary ?? ''}”`, icon };
}
