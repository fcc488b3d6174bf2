import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../api/queries.ts';
import type { Overview } from '../api/types.ts';
import { usePlace } from '../frame/session.tsx';
import { amount, share } from '../parts/numbers.ts';
import { daysUntil } from '../parts/times.ts';

/** Keys that end within this many days are told of. */
export const soonDays = 14;

/** The four totals. */
export function Totals({ overview }: { overview: Overview }) {
  const { accountId } = usePlace();
  const keys = useQuery(keysQuery(accountId)).data ?? [];
  const test = keys.filter(({ mode }) => mode === 'test').length;
  const ending = keys.filter(
    ({ state, expires_at }) =>
      state === 'active' && expires_at !== null && daysUntil(expires_at) <= soonDays,
  ).length;
  const refused = overview.calls_by_hour.reduce((sum, hour) => sum + hour.refused, 0);
  return (
    <dl className="card totals">
      <Total name="API keys" value={overview.total_keys}>
        {keys.length - test} live, {test} test
      </Total>
      <Total name="Active keys" value={overview.active_keys}>
        {ending === 0
          ? 'None expires soon'
          : `${ending} ${ending === 1 ? 'expires' : 'expire'} soon`}
      </Total>
      <Total name="Calls, last 24 h" value={overview.calls_last_24h}>
        {amount(refused)} refused · {share(refused, overview.calls_last_24h)}
      </Total>
      <Total name="Templates configured" value={overview.templates_configured}>
        Mappings of keys to templates
      </Total>
    </dl>
  );
}

function Total({
  name,
  value,
  children,
}: {
  name: string;
  value: number;
  children: React.ReactNode;
}) {
  return (
    <div className="total">
      <dt>{name}</dt>
      <dd className="amount">{amount(value)}</dd>
      <dd className="small">{children}</dd>
    </div>
  );
}
