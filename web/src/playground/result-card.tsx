import { SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconTerminal2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Answer, ApiFailure } from '../api/client.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { HttpCode } from '../parts/http-code.tsx';
import { Notice } from '../parts/notice.tsx';
import { printed } from './payloads.ts';
import { SentMessage } from './sent-message.tsx';

/** What a run answers: a simulation brings the payload, a send the message. */
export interface RunData {
  readonly valid?: boolean;
  readonly platform_payload?: Record<string, unknown>;
  readonly message_id?: string;
  readonly message_uuid?: string;
  readonly status?: string;
}

export type RunMode = 'simulate' | 'send';

interface ResultCardProps {
  /** What the last run was for. */
  readonly mode: RunMode | undefined;
  readonly answer: Answer<RunData> | undefined;
  readonly error: Error | null;
  /** What the simulator makes of the valid message, where it is not delivered. */
  readonly outcome: string | undefined;
  /** Path → what is wrong there, as the API says. */
  readonly faults: Readonly<Record<string, string>>;
}

/** The verdict, and the raw answer next to it. */
export function ResultCard({ mode, answer, error, outcome, faults }: ResultCardProps) {
  const [tab, setTab] = useState('Result');
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // Below a long body the answer would go unnoticed.
    if (answer || error) card.current?.scrollIntoView({ block: 'nearest' });
  }, [answer, error]);
  const failure = error instanceof ApiFailure ? error : null;
  const raw = failure?.body ?? answer?.body;
  const status = failure ? failure.status || null : answer?.status;
  const messageId = answer?.data.message_id ?? answer?.data.message_uuid;
  return (
    <section className="card result-card" aria-label="Result" ref={card}>
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
            sentence="“Simulate only” says whether the message is valid and shows exactly what would go to WhatsApp. Nothing is sent."
          />
        ) : tab === 'Response' ? (
          raw ? (
            <CodeBlock language="json" code={printed(raw)} maxHeight={420} />
          ) : (
            <p className="card-body secondary">There was no answer.</p>
          )
        ) : error ? (
          <Refused mode={mode} error={error} faults={faults} />
        ) : messageId ? (
          <SentMessage id={messageId} />
        ) : (
          answer && <Valid answer={answer} outcome={outcome} />
        )}
      </div>
    </section>
  );
}

interface RefusedProps {
  readonly mode: RunMode | undefined;
  readonly error: Error;
  readonly faults: ResultCardProps['faults'];
}

function Refused({ mode, error, faults }: RefusedProps) {
  const failure = error instanceof ApiFailure ? error : null;
  const details = detailsOf(failure);
  // Only a refusal is certain; after a failure of ours the message may be on its way.
  const isCertain = failure?.code === 'MESSAGE_SEND_FAILED' || isRefusal(failure);
  const mayBeSent = mode === 'send' && !isCertain;
  return (
    <div className="card-body result">
      <Notice tone={mayBeSent ? 'amber' : 'red'} role="alert">
        <b>{isCertain ? 'Nothing was sent.' : error.message}</b>
        {mayBeSent && (
          <div>
            The message may have been accepted and sent anyway. Look at{' '}
            <Link to="/messages">Messages</Link> before you send it again.
          </div>
        )}
        {!isCertain && !mayBeSent && ' A simulation sends nothing.'}{' '}
        <code className="small">{failure?.code ?? 'FAILED'}</code>
      </Notice>
      {isCertain && Object.keys(faults).length === 0 && <p>{error.message}</p>}
      {details.whatsapp_error_code !== undefined && (
        <p>
          <code>{details.whatsapp_error_code}</code> {details.whatsapp_error_message}
        </p>
      )}
      {Object.keys(faults).length > 0 && (
        <dl className="field-faults">
          {Object.entries(faults).map(([path, fault]) => (
            <div key={path}>
              <dt>
                <code>{path}</code>
              </dt>
              <dd>{fault}</dd>
            </div>
          ))}
        </dl>
      )}
      {details.message_id && <SentMessage id={details.message_id} />}
    </div>
  );
}

const isRefusal = (failure: ApiFailure | null) =>
  failure !== null && failure.status >= 400 && failure.status < 500;

interface FailureDetails {
  readonly message_id?: string;
  readonly whatsapp_error_code?: number;
  readonly whatsapp_error_message?: string;
}

function detailsOf(failure: ApiFailure | null): FailureDetails {
  const body = failure?.body as { error?: { details?: FailureDetails } } | null | undefined;
  return body?.error?.details ?? {};
}

interface ValidProps {
  readonly answer: Answer<RunData>;
  readonly outcome: string | undefined;
}

function Valid({ answer, outcome }: ValidProps) {
  const warnings = answer.body.meta.warnings ?? [];
  return (
    <>
      <div className="card-body result">
        <Notice tone="green" icon={IconCircleCheck}>
          <b>Valid.</b> Nothing was sent. {warnings.length === 0 && 'No warnings.'}
        </Notice>
        {warnings.map((warning) => (
          <Notice key={warning} tone="amber">
            {warning}
          </Notice>
        ))}
        {outcome && (
          <Notice tone="amber">
            The request is valid. If you send it to this test number, this follows: {outcome}
          </Notice>
        )}
        <h3 className="result-title">What would go to WhatsApp</h3>
      </div>
      <CodeBlock language="json" code={printed(answer.data.platform_payload)} maxHeight={360} />
    </>
  );
}
