import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { keysQuery } from '../api/key-queries.ts';
import type { Overview } from '../api/types.ts';
import { expiresSoon, soonDays } from '../keys/expires-soon.ts';
import { amount, share } from '../parts/numbers.ts';
import { timeUntil } from '../parts/times.ts';
import { usePlace } from '../session/session.tsx';

const bothModes = { mode: 'both' };

/** The four totals: they count live and test whatever the page is about. */
export function Totals({ overview }: { overview: Overview }) {
  const { accountId, mode } = usePlace();
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  const test = keys.filter((key) => key.mode === 'test').length;
  const ending = keys.filter(expiresSoon).flatMap(({ expires_at: at }) => at ?? []);
  const broken = overview.broken_mappings.length;
  const sum = (figure: 'calls' | 'refused') =>
    overview.calls_by_hour.reduce((total, hour) => total + hour[figure], 0);
  const refused = sum('refused');
  return (
    <dl className="card totals">
      <Total name="API keys" value={overview.total_keys} link={{ to: '/keys', search: bothModes }}>
        {keys.length - test} live, {test} test
      </Total>
      <Total
        name="Active keys"
        value={overview.active_keys}
        link={{ to: '/keys', search: { ...bothModes, state: 'active' } }}
      >
        {endingText(ending)}
      </Total>
      <Total
        name="Calls, last 24 h"
        value={overview.calls_last_24h}
        {...(overview.calls_last_24h > 0 && {
          link: { to: '/requests', search: { ...bothModes, range: '24h' } },
        })}
      >
        {overview.calls_last_24h === 0 ? (
          'None yet'
        ) : (
          <>
            {mode && `${amount(sum('calls'))} ${mode} · `}
            {amount(refused)}{' '}
            <Link to="/requests" search={{ result: 'refused', range: '24h' }}>
              refused
            </Link>{' '}
            · {share(refused, sum('calls'))}
          </>
        )}
      </Total>
      <Total
        name="Templates configured"
        value={overview.templates_mapped}
        of={overview.templates_approved}
        link={{ to: '/templates', search: { ...bothModes, status: 'APPROVED', mapped: 'yes' } }}
      >
        {broken > 0
          ? `${broken} ${broken === 1 ? 'mapping no longer fits' : 'mappings no longer fit'}`
          : overview.templates_mapped === 0
            ? 'Approved ones that a key has mapped'
            : `All ${mode ? `${mode} ` : ''}mappings fit; each language counts`}
      </Total>
    </dl>
  );
}

function endingText(times: readonly string[]): string {
  const [first] = times;
  if (first === undefined) return 'None expires soon';
  if (times.length > 1) return `${times.length} expire within ${soonDays} days`;
  return `1 expires ${timeUntil(first)}`;
}

interface TotalProps {
  readonly name: string;
  readonly value: number;
  readonly of?: number;
  /** The list that it counts, where there is one. */
  readonly link?: Pick<LinkProps, 'to' | 'search'>;
  readonly children: ReactNode;
}

function Total({ name, value, of, link, children }: TotalProps) {
  const figure = (
    <>
      {amount(value)}
      {of !== undefined && <span> of {amount(of)}</span>}
    </>
  );
  return (
    <div className="total">
      <dt className="secondary">{name}</dt>
      <dd className="amount">
        {link ? (
          <Link {...link}>
            {figure}
            <span className="unseen"> {name}</span>
          </Link>
        ) : (
          figure
        )}
      </dd>
      <dd className="small">{children}</dd>
    </div>
  );
}
