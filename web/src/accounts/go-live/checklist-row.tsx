import {
  type Icon,
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconHelpCircle,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ChecklistItem } from '../../api/types.ts';
import { Moment } from '../../parts/moment.tsx';
import { inOwnZone } from '../../parts/times.ts';
import { useZone } from '../../parts/zone.ts';
import { titleOf } from './row-words.ts';

interface Look {
  readonly tone: 'green' | 'amber' | 'red' | 'gray';
  readonly icon: Icon;
  /** For those who do not see the icon. */
  readonly word: string;
}

const looks: Readonly<Record<ChecklistItem['state'], Look>> = {
  done: { tone: 'green', icon: IconCheck, word: 'Done' },
  missing: { tone: 'gray', icon: IconCircleDashed, word: 'To do' },
  failed: { tone: 'red', icon: IconX, word: 'Failed' },
  unknown: { tone: 'gray', icon: IconHelpCircle, word: 'Unknown' },
};
const waiting: Look = { tone: 'amber', icon: IconClock, word: 'Waiting' };

interface ChecklistRowProps {
  readonly item: ChecklistItem;
  /** Instead of the time of the check, which then comes below. */
  readonly aside?: ReactNode;
  /** What can be done about it. */
  readonly children?: ReactNode;
}

/** One thing that the account needs: whether it is there, and what to do. */
export function ChecklistRow({ item, aside, children }: ChecklistRowProps) {
  const { id, state, detail, checked_at: checkedAt } = item;
  useZone();
  const isAwaited = id === 'webhook' && state === 'missing';
  const { tone, icon: Sign, word } = isAwaited ? waiting : looks[state];
  return (
    <li className="go-live-row" data-item={id} data-state={state}>
      <span className="go-live-sign" data-tone={tone}>
        <Sign size={16} aria-hidden="true" />
        <span className="unseen">{word}: </span>
      </span>
      <div className="go-live-text">
        <h3>{titleOf(item)}</h3>
        <p className="small">{inOwnZone(detail)}</p>
        {children}
        {aside && (
          <p className={`small ${state === 'failed' ? 'wrong' : ''}`}>
            Checked <Moment at={checkedAt} />
          </p>
        )}
      </div>
      <div className="go-live-aside small">{aside ?? <Moment at={checkedAt} />}</div>
    </li>
  );
}
