import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { healthHistoryQuery } from '../../api/account-queries.ts';
import { ListFoot } from '../../lists/list-foot.tsx';
import { Moment } from '../../parts/moment.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { changeText } from './health-words.ts';

/** So many changes are shown at first. */
const few = 4;

/** What changed of a number's health, the newest first: the last few, or all. */
export function HealthHistory({ accountId }: { accountId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const history = useInfiniteQuery(healthHistoryQuery(accountId));
  const changes = history.data?.pages.flatMap((page) => page.changes);
  const shown = isOpen ? changes : changes?.slice(0, few);
  return (
    <section aria-label="History">
      <div className="card-body stack" style={{ gap: 8, paddingTop: 0 }}>
        <div className="row" style={{ justifyContent: 'space-between' }}>
          <h3 className="small strong">History</h3>
          {changes && changes.length > few && (
            <Button variant="subtle" size="compact-sm" onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? 'Show less' : 'All history'}
            </Button>
          )}
        </div>
        {!shown ? (
          <QueryState query={history} />
        ) : shown.length === 0 ? (
          <p className="secondary">Nothing has changed yet.</p>
        ) : (
          <ul className="stack" style={{ gap: 6 }}>
            {shown.map((change) => (
              <li key={change.id}>
                <div style={{ overflowWrap: 'anywhere' }}>{changeText(change)}</div>
                <div className="small">
                  <Moment at={change.at} to="minute" />
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      {isOpen && changes && <ListFoot shown={changes.length} query={history} />}
    </section>
  );
}
