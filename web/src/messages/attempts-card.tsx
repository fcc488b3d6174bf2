import { IconCircleDashed } from '@tabler/icons-react';
import type { Attempt, MessageDetails } from '../api/types.ts';
import { Table } from '../lists/table.tsx';
import { Card } from '../parts/card.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { HttpCode } from '../parts/http-code.tsx';
import { ShortId } from '../parts/short-id.tsx';
import { clockTime, duration } from '../parts/times.ts';
import { attemptWords } from './attempt-words.ts';

/** Every call to WhatsApp for the message. */
export function AttemptsCard({ message }: { message: MessageDetails }) {
  const { attempts, status } = message;
  const isAhead = status === 'scheduled' || status === 'queued';
  return (
    <Card title="Attempts to send" aside={<span className="secondary">{attempts.length}</span>}>
      {attempts.length === 0 ? (
        <EmptyState
          icon={IconCircleDashed}
          title={isAhead ? 'Not tried yet' : 'Never tried'}
          sentence="Each request to WhatsApp is listed here with its answer."
        />
      ) : (
        <div className="table-box">
          <Table heads={['#', 'Answer', 'Result', ['Took', 'end'], ['At', 'end']]}>
            {attempts.map((attempt, index) => (
              <tr key={attempt.number}>
                <td>{attempt.number}</td>
                <td className="first-end">
                  <HttpCode status={attempt.http_status} />
                </td>
                <td className="second">
                  {attempt.error_code !== null && <code>{attempt.error_code} </code>}
                  {attemptWords(attempt, attempts[index + 1])}
                  {attempt.outcome === 'accepted' && message.platform_message_id && (
                    <>
                      {' as '}
                      <ShortId id={message.platform_message_id} name="WhatsApp id" />
                    </>
                  )}
                  {attempt.detail && <RawAnswer attempt={attempt} text={attempt.detail} />}
                </td>
                <td className="end quiet unbroken">{duration(attempt.duration_ms)}</td>
                <td className="end quiet">{clockTime(attempt.started_at)}</td>
              </tr>
            ))}
          </Table>
        </div>
      )}
    </Card>
  );
}

/** What came back, word for word, for those who want to read it. */
function RawAnswer({ attempt, text }: { attempt: Attempt; text: string }) {
  return (
    <details className="raw-answer">
      <summary className="small">
        {attempt.http_status === null ? 'What happened' : 'WhatsApp’s answer'}
      </summary>
      <pre
        className="answer-text"
        // A region that scrolls has to be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={`Answer to attempt ${attempt.number}`}
      >
        {text}
      </pre>
    </details>
  );
}
