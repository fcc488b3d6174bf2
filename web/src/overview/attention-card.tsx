import {
  type Icon,
  IconAlertTriangle,
  IconCalendarOff,
  IconChevronRight,
  IconCircleCheck,
  IconHelpCircle,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { keysQuery } from '../api/queries.ts';
import type { Alert, ApiKey, Overview } from '../api/types.ts';
import { failedAttempts } from '../deliveries/failing-endpoints.ts';
import { Card } from '../parts/card.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { dateAndTime, daysUntil, momentText, timeUntil } from '../parts/times.ts';
import { plainWords } from '../parts/words.ts';
import { usePlace } from '../session/session.tsx';
import { soonDays } from './totals.tsx';

interface Matter {
  readonly id: string;
  readonly icon: Icon;
  readonly color: string;
  readonly title: string;
  readonly text: string;
  /** Where it can be looked at. */
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

const red = { icon: IconAlertTriangle, color: 'var(--red)' };

/** What needs attention. */
export function AttentionCard({ overview }: { overview: Overview }) {
  const { accountId } = usePlace();
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  const matters: Matter[] = [
    // A webhook that is switched off is listed with its key.
    ...overview.alerts.filter(({ kind }) => kind !== 'webhook_disabled').map(alertMatter),
    ...keys.filter(({ state }) => state !== 'revoked').flatMap(webhookMatters),
    ...unconfirmedMatters(overview.queue.unconfirmed),
    ...overview.broken_mappings.map(mappingMatter),
    ...keys.flatMap(expiryMatters),
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
          sentence="Failing webhooks, unconfirmed messages, mappings that no longer fit, and keys about to expire are listed here."
        />
      ) : (
        matters.map(({ id, icon: Sign, color, title, text, link }) => (
          <Link key={id} className="attention" {...link}>
            <Sign size={18} stroke={1.65} color={color} aria-hidden="true" />
            <span className="grow">
              <span className="strong">{title}</span>
              <span className="secondary">{text}</span>
            </span>
            <IconChevronRight size={16} aria-hidden="true" />
          </Link>
        ))
      )}
    </Card>
  );
}

const keyLink = (keyId: string) => ({ to: '/keys/$keyId' as const, params: { keyId } });

const alertMatter = ({ id, kind, message }: Alert): Matter => ({
  ...red,
  id,
  title: plainWords(kind),
  text: message,
  link: { to: '/alerts' },
});

function webhookMatters({ id, name, webhook }: ApiKey): Matter[] {
  const matter = { ...red, id: `webhook ${id}`, link: keyLink(id) };
  if (webhook.disabled_at !== null) {
    const why =
      webhook.reason === 'gone' ? 'It answered 410 Gone.' : 'It accepted nothing for 120 hours.';
    return [
      {
        ...matter,
        title: `Webhook of “${name}” is switched off`,
        text: `${why} Once it works, enable it and recover what it missed.`,
      },
    ];
  }
  const { failing } = webhook;
  if (!failing) return [];
  return [
    {
      ...matter,
      title: `Webhook of “${name}” fails`,
      text: `${failedAttempts(failing.failures)}. If it keeps failing, it is switched off after 120 h: ${momentText(failing.off_at)}.`,
    },
  ];
}

const mappingMatter = (mapping: Overview['broken_mappings'][number]): Matter => ({
  id: `mapping ${mapping.api_key_id} ${mapping.template_id}`,
  icon: IconAlertTriangle,
  color: 'var(--amber)',
  title: `Template ${mapping.template_name} changed`,
  text: `Its mapping for “${mapping.api_key_name}” no longer fits: ${mapping.reason}.`,
  link: {
    to: '/templates/$templateId',
    params: { templateId: mapping.template_id },
    search: { key: mapping.api_key_id },
  },
});

function unconfirmedMatters(count: number): Matter[] {
  if (count === 0) return [];
  return [
    {
      id: 'unconfirmed',
      icon: IconHelpCircle,
      color: 'var(--amber)',
      title: `${count} ${count === 1 ? 'message' : 'messages'} unconfirmed`,
      text: 'WhatsApp may have them. Parley does not send them again.',
      link: { to: '/messages', search: { status: 'unconfirmed' } },
    },
  ];
}

function expiryMatters({ id, name, state, expires_at: expiry }: ApiKey): Matter[] {
  if (state !== 'active' || expiry === null || daysUntil(expiry) > soonDays) return [];
  return [
    {
      id: `expiry ${id}`,
      icon: IconCalendarOff,
      color: 'var(--amber)',
      title: `Key “${name}” expires ${timeUntil(expiry)}`,
      text: `${dateAndTime(expiry)}. From then on its requests are refused.`,
      link: keyLink(id),
    },
  ];
}
