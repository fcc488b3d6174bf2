import type { CampaignDetails } from '../api/types.ts';
import { meaningOf } from '../parts/failure-meanings.ts';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';

/** Why messages of a campaign stand still that are released already. */
export function WaitingNotice({ campaign: { waiting } }: { campaign: CampaignDetails }) {
  if (!waiting) return null;
  const { code, next_at: nextAt } = waiting;
  return (
    <Notice tone="amber" role="status">
      <b>Messages wait.</b> {code && `${meaningOf(code, 'template')} (${code}). `}
      They are tried again by themselves
      {nextAt && (
        <>
          , next at <Moment at={nextAt} />
        </>
      )}
      .
    </Notice>
  );
}
