import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Delivery, DeliveryAttempt } from '../api/types.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { lastAttempt } from './attempt-words.ts';

/** The request of an attempt. Its body is the payload, the same each time. */
export function RequestHeaders({ delivery }: { delivery: Delivery }) {
  const { attempts } = delivery;
  const [chosen, setChosen] = useState<number | null>(null);
  const attempt = attempts.find(({ number }) => number === chosen) ?? lastAttempt(delivery);
  if (!attempt) return <p className="card-body secondary">No request was made yet.</p>;
  return (
    <>
      {attempts.length > 1 && (
        <div className="card-body" style={{ paddingBottom: 0 }}>
          <SegmentedControl
            aria-label="Request of"
            size="xs"
            data={attempts.map(({ number }) => ({
              value: String(number),
              label: `Try ${number}`,
            }))}
            value={String(attempt.number)}
            onChange={(value) => setChosen(Number(value))}
          />
        </div>
      )}
      <CodeBlock language="shell" code={requestOf(delivery, attempt)} />
      <p className="card-body secondary" style={{ paddingTop: 0 }}>
        The signature covers id, time and body, and uses the key’s webhook secret. Parley stores the
        secret encrypted, and not the signature.
      </p>
    </>
  );
}

function requestOf(delivery: Delivery, { at }: DeliveryAttempt): string {
  const url = delivery.url && URL.canParse(delivery.url) ? new URL(delivery.url) : null;
  return [
    `POST ${url ? `${url.pathname}${url.search}` : '…'} HTTP/1.1`,
    ...(url ? [`host: ${url.host}`] : []),
    'content-type: application/json',
    'user-agent: Parley/…',
    `webhook-id: ${delivery.webhook_id}`,
    `webhook-timestamp: ${Math.floor(Date.parse(at) / 1_000)}`,
    'webhook-signature: v1,…',
  ].join('\n');
}
