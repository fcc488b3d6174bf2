import { IconRefresh } from '@tabler/icons-react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Delivery } from '../api/types.ts';
import { BulkButton } from '../lists/bulk-button.tsx';
import { placesWords } from '../lists/job-words.ts';
import type { Selection } from '../lists/selection.tsx';
import { hasWaiting, leftOutWords, redeliverable } from './redeliverable.ts';

/** Delivers the chosen events once more, with the same ids and bytes. */
export function RedeliverSeveral({ selection }: { selection: Selection<Delivery> }) {
  const reread = useReread();
  const rows = redeliverable(selection.chosen);
  const leftOut = leftOutWords(selection.chosen);
  return (
    <>
      {leftOut && rows.length > 0 && <span className="small">{leftOut}</span>}
      <BulkButton
        icon={IconRefresh}
        verb="Redeliver"
        done="handed over"
        noun="event"
        rows={rows}
        whyNot="Their keys no longer have a webhook."
        run={({ id }) => call('POST', '/webhook-deliveries/{id}/redeliver', { id })}
        onEnd={() => {
          selection.clear();
          void reread(['deliveries'], ['delivery'], ['endpoints'], ['overview']);
        }}
      >
        <p>{goesTo(rows)}</p>
        <p>
          Sends each event once more, with the same id and the same bytes, whether it was delivered
          before or not. Endpoints that compare ids ignore what they already have.
          {hasWaiting(rows) && ' Those that wait for another try go out now.'}
        </p>
      </BulkButton>
    </>
  );
}

/** Where the events go, each address once. */
function goesTo(deliveries: readonly Delivery[]): string {
  const urls = [...new Set(deliveries.flatMap(({ url }) => url ?? []))].toSorted();
  return urls.length === 0 ? 'Their keys no longer have a webhook.' : `To ${placesWords(urls)}.`;
}
