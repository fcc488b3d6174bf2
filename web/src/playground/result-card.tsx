import { SegmentedControl } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, ApiFailure } from '../api/client.ts';
import { messageQuery } from '../api/queries.ts';
import { HttpCode } from '../messages/attempts-card.tsx';
import { TimelineCard } from '../messages/timeline-card.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { printed } from './payloads.ts';

/** What a run answers: a simulation brings the payload, a send the message. */
export interface RunData {
  readonly valid?: boolean;
  readonly platform_payload?: Record<string, unknown>;
  readonly message_id?: string;
  readonly status?: string;
}

interface ResultCardProps {
  readonly answer: Answer<RunData> | undefined;
  readonly error: Error | null;
}

/** The verdict, and the raw answer beside it. */
export function ResultCard({ answer, error }: ResultCardProps) {
  const [tab, setTab] = useState('Result');
  const failure = error instanceof ApiFailure ? error : null;
  const raw = failure?.body ?? answer?.body;
  const status = failure ? failure.status || null : answer?.status;
  return (
    <section className="card" aria-label="Result">
      <div className="card-head">
        <SegmentedControl
          size="xs"
          aria-label="Answer"
          data={['Result', 'Response']}
          value={tab}
          onChange={setTab}
        />
        {status !== undefined && <HttpCode status={status} />}
      </div>
      <div aria-live="polite">
        {!raw && !error ? (
          <EmptyState
            icon={IconTerminal2}
            title="Nothing tried yet"
            sentence="Simulate says whether the message is valid and shows exactly what would go to WhatsApp. Nothing is sent."
          />
        ) : tab === 'Response' ? (
          <CodeBlock language="json" code={printed(raw)} maxHeight={420} />
        ) : error ? (
          <Refused error={error} />
        ) : answer?.data.message_id ? (
          <Sent id={answer.data.message_id} />
        ) : (
          answer && <Valid answer={answer} />
        )}
      </div>
    </section>
  );
}

function Refused({ error }: { error: Error }) {
  const failure = error instanceof ApiFailure ? error : null;
  // Only a refusal is certain; after a failure of ours the message may be on its way.
  const isCertain = failure !== null && failure.status >= 400 && failure.status < 500;
  const fields = Object.entries(failure?.fields ?? {});
  return (
    <div className="card-body">
      <div className="notice" data-tone="red" role="alert">
        <IconAlertTriangle size={18} aria-hidden="true" />
        <div>
          <b>{failure?.code ?? 'Refused'}.</b> {error.message}
          {isCertain && ' Nothing was sent.'}
          {fields.length > 0 && (
            <ul>
              {fields.map(([path, fault]) => (
                <li key={path}>
                  <code>{path}</code> {fault}
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </div>
  );
}

function Valid({ answer }: { answer: Answer<RunData> }) {
  const warnings = answer.body.meta.warnings ?? [];
  return (
    <>
      <div className="card-body result">
        <div className="notice" data-tone="green">
          <IconCircleCheck size={18} aria-hidden="true" />
          <div>
            <b>Valid.</b> Nothing was sent. {warnings.length === 0 && 'No warnings.'}
          </div>
        </div>
        {warnings.map((warning) => (
          <div key={warning} className="notice" data-tone="amber">
            <IconAlertTriangle size={18} aria-hidden="true" />
            <div>{warning}</div>
          </div>
        ))}
        <h3 style={{ fontSize: 14, fontWeight: 500 }}>What would go to WhatsApp</h3>
      </div>
      <CodeBlock language="json" code={printed(answer.data.platform_payload)} maxHeight={360} />
    </>
  );
}

function Sent({ id }: { id: string }) {
  const message = useQuery(messageQuery(id)).data;
  return (
    <div className="card-body result">
      <div className="notice" data-tone="green">
        <IconCircleCheck size={18} aria-hidden="true" />
        <div>
          <b>Taken.</b> Its status stands below, as it changes.{' '}
          <Link to="/messages/$messageId" params={{ messageId: id }}>
            Open message
          </Link>
        </div>
      </div>
      {message && <TimelineCard entries={message.timeline} />}
    </div>
  );
}
