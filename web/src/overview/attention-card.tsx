import {
  type Icon,
  IconAlertTriangle,
  IconCalendarOff,
  IconCircleCheck,
  IconHelpCircle,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../api/queries.ts';
import type { Overview } from '../api/types.ts';
import { usePlace } from '../frame/session.tsx';
import { Card } from '../parts/card.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { dateOf, daysUntil } from '../parts/times.ts';
import { soonDays } from './totals.tsx';

interface Matter {
  readonly id: string;
  readonly icon: Icon;
  readonly color: string;
  readonly title: string;
  readonly text: string;
}

/** What somebody should look at. */
export function AttentionCard({ overview }: { overview: Overview }) {
  const { accountId } = usePlace();
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  const { unconfirmed } = overview.queue;
  const matters: Matter[] = [
    ...overview.alerts.map((alert) => ({
      id: alert.id,
      icon: IconAlertTriangle,
      color: 'var(--red)',
      title: titleOf(alert.kind),
      text: alert.message,
    })),
    ...keys
      .filter(({ webhook }) => webhook.disabled_at !== null)
      .map((key) => ({
        id: `webhook ${key.id}`,
        icon: IconAlertTriangle,
        color: 'var(--red)',
        title: `Webhook of “${key.name}” is switched off`,
        text: key.webhook.reason ?? 'It failed for too long. Its events wait for nobody.',
      })),
    ...(unconfirmed > 0
      ? [
          {
            id: 'unconfirmed',
            icon: IconHelpCircle,
            color: 'var(--amber)',
            title: `${unconfirmed} ${unconfirmed === 1 ? 'message' : 'messages'} unconfirmed`,
            text: 'WhatsApp may have them. They are not sent again until it says so.',
          },
        ]
      : []),
    ...keys.flatMap((key) =>
      key.state === 'active' && key.expires_at !== null && daysUntil(key.expires_at) <= soonDays
        ? [
            {
              id: `expiry ${key.id}`,
              icon: IconCalendarOff,
              color: 'var(--amber)',
              title: `Key “${key.name}” expires in ${daysUntil(key.expires_at)} days`,
              text: `${dateOf(key.expires_at)}. From then on its requests are refused.`,
            },
          ]
        : [],
    ),
  ];
  return (
    <Card
      title="Needs attention"
      aside={
        matters.length > 0 && (
          <span className="badge" data-tone="amber">
            {matters.length}
          </span>
        )
      }
    >
      {matters.length === 0 ? (
        <EmptyState
          icon={IconCircleCheck}
          title="All is well"
          sentence="Failing webhooks, unconfirmed messages and keys about to expire stand here."
        />
      ) : (
        matters.map(({ id, icon: Sign, color, title, text }) => (
          <div key={id} className="attention">
            <Sign size={18} stroke={1.65} color={color} aria-hidden="true" />
            <div>
              <div className="strong">{title}</div>
              <div className="secondary">{text}</div>
            </div>
          </div>
        ))
      )}
    </Card>
  );
}

/** `number_paused` → `Number paused` */
const titleOf = (kind: string) => {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
