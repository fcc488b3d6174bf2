import { IconCircleDashed } from '@tabler/icons-react';
import type { Attempt } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { HttpCode } from '../parts/http-code.tsx';
import { clockTime, duration } from '../parts/times.ts';
import { meaningOf } from './failure-meanings.ts';

/** Every call to WhatsApp for the message. */
export function AttemptsCard({ attempts }: { attempts: Attempt[] }) {
  return (
    <Card title="Attempts to send" aside={<span className="secondary">{attempts.length}</span>}>
      {attempts.length === 0 ? (
        <EmptyState
          icon={IconCircleDashed}
          title="Not tried yet"
          sentence="Each call to WhatsApp stands here with its answer."
        />
      ) : (
        <div className="table-box">
          <table className="table entries">
            <thead>
              <tr>
                <th>#</th>
                <th>Answer</th>
                <th>Result</th>
                <th className="end">Took</th>
                <th className="end">At</th>
              </tr>
            </thead>
            <tbody>
              {attempts.map((attempt) => (
                <tr key={attempt.number}>
                  <td>{attempt.number}</td>
                  <td className="first-end">
                    <HttpCode status={attempt.http_status} />
                  </td>
                  <td className="second">
                    {attempt.error_code !== null && <code>{attempt.error_code} </code>}
                    {attempt.detail ??
                      (attempt.error_code === null
                        ? attempt.outcome.replaceAll('_', ' ')
                        : meaningOf(String(attempt.error_code)))}
                  </td>
                  <td className="end quiet">{duration(attempt.duration_ms)}</td>
                  <td className="end quiet">{clockTime(attempt.started_at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
