import { Button } from '@mantine/core';
import type { ChecklistItem } from '../../api/types.ts';
import { useChecklistAction } from './checklist.ts';
import { ChecklistRow } from './checklist-row.tsx';
import { RefusalLine } from './refusal-line.tsx';

interface SubscribeRowProps {
  readonly item: ChecklistItem;
  readonly accountId: string;
}

/** Has the webhooks of the business account sent to the app of the token. */
export function SubscribeRow({ item, accountId }: SubscribeRowProps) {
  const subscription = useChecklistAction(accountId, 'subscribe');
  if (item.state !== 'missing') return <ChecklistRow item={item} />;
  return (
    <ChecklistRow
      item={item}
      aside={
        <Button
          variant="filled"
          loading={subscription.isPending}
          onClick={() => subscription.mutate({})}
        >
          Subscribe the app
        </Button>
      }
    >
      <RefusalLine error={subscription.error} />
    </ChecklistRow>
  );
}
