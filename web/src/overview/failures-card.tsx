import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Table } from '../lists/table.tsx';
import { Card } from '../parts/card.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { knownTextOf, meaningOf } from '../parts/failure-meanings.ts';
import { amount } from '../parts/numbers.ts';

/** Reasons of ours are no codes that the list can be narrowed to. */
const isCode = (code: string) => /^\d+$/.test(code);

/** Failed messages of the last 24 hours by code. */
export function FailuresCard({ counts }: { counts: Record<string, number> }) {
  const rows = Object.entries(counts).toSorted(([, left], [, right]) => right - left);
  const most = rows[0]?.[1] ?? 1;
  return (
    <Card
      title="Failures by code"
      aside={
        rows.length > 0 && (
          <Link to="/messages" search={{ status: 'failed', range: '24h' }}>
            View failed messages
          </Link>
        )
      }
    >
      {rows.length === 0 ? (
        <EmptyState
          icon={IconCircleCheck}
          title="No message failed in 24 hours"
          sentence="Failures are listed here with WhatsApp’s code and what it means."
        />
      ) : (
        <div className="table-box">
          <Table
            className="failures-table"
            heads={['Code', 'What it means', ['Count', 'end']]}
            unseenHead={['Share', 'col-share']}
          >
            {rows.map(([code, count]) => (
              <tr key={code} data-link={isCode(code)}>
                <td className="mono">
                  {isCode(code) ? (
                    <Link
                      className="row-link"
                      to="/messages"
                      search={{ status: 'failed', code, range: '24h' }}
                    >
                      {code}
                    </Link>
                  ) : (
                    code
                  )}
                </td>
                <td>
                  {meaningOf(code)}
                  <div className="small">{knownTextOf(code)?.advice}</div>
                </td>
                <td className="end">{amount(count)}</td>
                <td className="col-share" style={{ width: 110 }}>
                  <div className="measure" aria-hidden="true">
                    <span style={{ width: `${(count / most) * 100}%` }} />
                  </div>
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </Card>
  );
}
