import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { auditQuery } from '../api/account-queries.ts';
import type { AuditEntry } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { Moment } from '../parts/moment.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { changeLines, doneWords } from './change-lines.ts';

const shownChanges = 5;

/** What was last changed about something, and by whom. */
export function ChangesCard({ subjectId }: { subjectId: string }) {
  const audit = useInfiniteQuery(auditQuery({ subject_id: subjectId }));
  const entries = audit.data?.pages[0]?.entries.slice(0, shownChanges) ?? [];
  return (
    <Card
      title="Latest changes"
      aside={
        <Link to="/audit-log" search={{ subject: subjectId }}>
          Audit log
        </Link>
      }
    >
      {audit.isPending ? (
        <Skeleton rows={2} />
      ) : entries.length === 0 ? (
        <p className="card-body secondary">
          {audit.isError ? 'The log cannot be read right now.' : 'Nothing yet.'}
        </p>
      ) : (
        <ul className="card-body stack" style={{ gap: 12 }}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <div style={{ overflowWrap: 'anywhere' }}>{summaryOf(entry)}</div>
              <div className="small" style={{ overflowWrap: 'anywhere' }}>
                {entry.actor}, <Moment at={entry.at} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** A change of settings says which one; everything else is what it is called. */
function summaryOf(entry: AuditEntry): string {
  const line = entry.action.endsWith('.updated') ? changeLines(entry)[0] : undefined;
  return line ?? doneWords(entry);
}
