import './go-live.css';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Checklist, ChecklistItem } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { Moment } from '../../parts/moment.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { StaleNotice } from '../../parts/stale-notice.tsx';
import { tokenField } from '../account-form.tsx';
import { CallbackRow } from './callback-row.tsx';
import { ChecklistRow } from './checklist-row.tsx';
import { RegisterRow } from './register-row.tsx';
import { countDone } from './row-words.ts';
import { SubscribeRow } from './subscribe-row.tsx';
import { TestMessageRow } from './test-message-row.tsx';

interface GoLiveCardProps {
  readonly accountId: string;
  readonly checklist: UseQueryResult<Checklist>;
}

/** What the account needs before it sends and hears, row by row, each with what can be done about it. */
export function GoLiveCard({ accountId, checklist }: GoLiveCardProps) {
  const items = checklist.data?.items ?? [];
  const done = countDone(items);
  const last = items.at(-1)?.checked_at;
  return (
    <Card
      title="Go live"
      aside={
        last && (
          <span className="small" role="status">
            {done} of {items.length} done · checked <Moment at={last} />
          </span>
        )
      }
    >
      {items.length > 0 && (
        <div className="go-live-bar" aria-hidden="true">
          <span style={{ width: `${(100 * done) / items.length}%` }} />
        </div>
      )}
      <StaleNotice query={checklist} />
      <QueryState query={checklist} skeletonRows={8}>
        {(data) => (
          <ul>
            {data.items.map((item) => (
              <Row key={item.id} item={item} accountId={accountId} checklist={data} />
            ))}
          </ul>
        )}
      </QueryState>
    </Card>
  );
}

interface RowProps {
  readonly item: ChecklistItem;
  readonly accountId: string;
  readonly checklist: Checklist;
}

function Row({ item, accountId, checklist }: RowProps) {
  switch (item.id) {
    case 'number':
      return <RegisterRow item={item} accountId={accountId} />;
    case 'callback':
      return <CallbackRow item={item} checklist={checklist} />;
    case 'subscription':
      return <SubscribeRow item={item} accountId={accountId} />;
    case 'test_message':
      return (
        <TestMessageRow
          item={item}
          accountId={accountId}
          obstacle={item.state === 'done' ? null : obstacleIn(checklist.items)}
        />
      );
    case 'token':
      return <TokenRow item={item} />;
    case 'webhook':
    case 'payment':
    case 'graph_version':
      return <ChecklistRow item={item} />;
  }
}

/** The form of the same page takes another token. */
function TokenRow({ item }: { item: ChecklistItem }) {
  if (item.state !== 'failed') return <ChecklistRow item={item} />;
  return (
    <ChecklistRow
      item={item}
      aside={
        <Button onClick={() => document.getElementById(tokenField)?.focus()}>
          Enter another token
        </Button>
      }
    />
  );
}

/** Why WhatsApp would refuse a message, or null. */
function obstacleIn(items: readonly ChecklistItem[]): string | null {
  const stateOf = (id: ChecklistItem['id']) => items.find((item) => item.id === id)?.state;
  if (stateOf('token') === 'failed') return 'Possible once WhatsApp accepts the access token.';
  const number = stateOf('number');
  return number === 'missing' || number === 'failed'
    ? 'Possible once the number is registered.'
    : null;
}
