import {
  IconAlertTriangle,
  IconCircleDashed,
  IconPointFilled,
  IconToggleLeft,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeliveryStatus, ListedEndpoint } from '../../api/types.ts';
import { Moment } from '../../parts/moment.tsx';
import { counted } from '../../parts/numbers.ts';
import { Badge, type Look, wordOf } from '../../parts/status-badge.tsx';
import { duration, momentText } from '../../parts/times.ts';
import { offReasons } from '../failing-endpoints.ts';
import { isUnused, missedWords, rateWords } from './strip-words.ts';

const looks: Record<ListedEndpoint['health'] | 'unused', Look & { readonly word: string }> = {
  disabled: { tone: 'red', icon: IconToggleLeft, word: 'Disabled' },
  failing: { tone: 'amber', icon: IconAlertTriangle, word: 'Failing' },
  healthy: { tone: 'green', icon: IconPointFilled, word: 'Healthy' },
  unused: { tone: 'gray', icon: IconCircleDashed, word: 'Unused' },
};

/** How an endpoint does, in a word. */
export function HealthBadge({ endpoint }: { endpoint: ListedEndpoint }) {
  const look = looks[isUnused(endpoint) ? 'unused' : endpoint.health];
  return <Badge look={look} word={look.word} />;
}

interface EndpointFigure {
  readonly name: string;
  readonly value: ReactNode;
}

/** What is known of the deliveries of an endpoint, wherever it is shown. */
export function figuresOf(endpoint: ListedEndpoint): readonly EndpointFigure[] {
  const { median_ms: median, last_success_at: success, retrying, waiting } = endpoint;
  const missed = missedWords(endpoint);
  const ofStatus = (status: DeliveryStatus, count: number): EndpointFigure[] =>
    count === 0
      ? []
      : [
          {
            name: wordOf(status),
            value: <StatusLink endpoint={endpoint} status={status} count={count} />,
          },
        ];
  return [
    { name: 'Succeeded', value: rateWords(endpoint) },
    ...(median === null ? [] : [{ name: 'Median', value: duration(median) }]),
    { name: 'Last success', value: success === null ? 'None' : <Moment at={success} ago /> },
    ...ofStatus('pending', waiting),
    ...ofStatus('retrying', retrying),
    ...(missed ? [{ name: 'Missed', value: <span className="wrong">{missed}</span> }] : []),
  ];
}

interface StatusLinkProps {
  readonly endpoint: ListedEndpoint;
  readonly status: DeliveryStatus;
  readonly count: number;
}

/** The deliveries of an endpoint with a status. */
const StatusLink = ({ endpoint: { endpoint_id: id }, status, count }: StatusLinkProps) => (
  <Link
    className="link strip-link"
    to="/webhooks"
    search={(before) => ({ ...before, endpoint: id, status })}
  >
    {counted(count, 'event')}
  </Link>
);

/** Since when an endpoint does not work, why, and what follows; null while it works. */
export function troubleText(endpoint: ListedEndpoint): string | null {
  const { since, off_at: offAt, disabled_reason: reason, health } = endpoint;
  if (since === null) return null;
  if (health === 'disabled') {
    return `Disabled since ${momentText(since)}. ${offReasons[reason ?? ''] ?? ''}`;
  }
  const end =
    offAt === null ? '' : ` Without a success it is switched off on ${momentText(offAt)}.`;
  return `Failing since ${momentText(since)}.${end}`;
}
