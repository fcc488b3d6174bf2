import { Button } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconCalendarOff,
  IconCircleCheck,
  IconHelpCircle,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { EmptyStateProps } from '../parts/empty-state.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Moment } from '../parts/moment.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { usePlace } from '../session/session.tsx';
import { AlertDeeds } from './alert-deeds.tsx';
import type { Matter } from './matters.ts';

const EventsOfEndpoint = lazyPart(() => import('./events-of-endpoint.tsx'), 'EventsOfEndpoint');

const looks: Record<Matter['look'], { readonly icon: Icon; readonly color: string }> = {
  broken: { icon: IconAlertTriangle, color: 'var(--red)' },
  warning: { icon: IconAlertTriangle, color: 'var(--amber)' },
  unknown: { icon: IconHelpCircle, color: 'var(--amber)' },
  ending: { icon: IconCalendarOff, color: 'var(--amber)' },
};

/** What the list says while nothing needs attention. */
export const allIsWell: EmptyStateProps = {
  icon: IconCircleCheck,
  title: 'All is well',
  sentence:
    'Paused numbers, failing webhooks, unconfirmed messages, mappings that no longer fit, and keys and tokens about to expire are listed here.',
};

/** Whatever needs attention, a line each. */
export function MatterList({ matters }: { matters: readonly Matter[] }) {
  return (
    <ul>
      {matters.map((matter) => (
        <MatterLine key={matter.id} matter={matter} />
      ))}
    </ul>
  );
}

/** What is wrong, what to do about it, since when, and the way there. */
function MatterLine({ matter }: { matter: Matter }) {
  const { mayChange } = usePlace();
  const { title, text, todo, since, links, alert } = matter;
  const { icon: Sign, color } = looks[matter.look];
  const reread = useReread();
  const resolution = useMutation({
    mutationFn: (id: string) => call('POST', '/alerts/{id}/resolve', { id }),
    onSuccess: () => reread(['alerts'], ['overview']),
  });
  return (
    <li className="attention">
      <Sign size={18} stroke={1.65} color={color} aria-hidden="true" />
      <div className="grow">
        <div className="strong">{title}</div>
        <div className="secondary">{text}</div>
        <div className="attention-todo">{todo}</div>
        <div className="small attention-foot">
          <AccountName id={matter.accountId} />
          {since !== null && (
            <span>
              Since <Moment at={since} />
            </span>
          )}
          {matter.endpointId && (
            <Suspense fallback={null}>
              <EventsOfEndpoint id={matter.endpointId} />
            </Suspense>
          )}
          {links.map(({ name, ...link }) => (
            <Link key={name} {...link}>
              {name}
            </Link>
          ))}
          {alert && <AlertDeeds alert={alert} title={title} />}
        </div>
        <WrongLine error={resolution.error} isSmall />
      </div>
      {alert && mayChange && (
        <Button
          aria-label={`Resolve ${title}`}
          loading={resolution.isPending}
          onClick={() => resolution.mutate(alert.id)}
        >
          Resolve
        </Button>
      )}
    </li>
  );
}

/** Whose it is, where there are several accounts. */
export function AccountName({ id }: { id: string | null }) {
  const { accounts } = usePlace();
  const account = accounts.length > 1 && accounts.find((each) => each.id === id);
  return account ? <span>{account.name}</span> : null;
}
