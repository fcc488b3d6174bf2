import { Tabs } from '@mantine/core';
import type { MessageDetails } from '../api/types.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { printed } from '../playground/payloads.ts';
import { routeOf } from '../playground/playground-types.ts';
import type { SentRequest } from '../playground/sent-request.ts';
import { destinationOf } from '../session/destination.ts';
import { usePlace } from '../session/session.tsx';

interface SentCardProps {
  readonly message: MessageDetails;
  /** Null where no route of ours sends such a message. */
  readonly request: SentRequest | null;
  readonly tab: string | undefined;
  readonly onTab: (tab: 'request' | 'sent') => void;
}

/** The message as callers write it, and as it went to WhatsApp. */
export function SentCard({ message, request, tab, onTab }: SentCardProps) {
  const { session } = usePlace();
  return (
    <section className="card sent-card" aria-label="Request">
      <Tabs
        className="card-tabs"
        value={tab === 'sent' || request === null ? 'sent' : 'request'}
        onChange={(value) => onTab(value === 'sent' ? 'sent' : 'request')}
        variant="pills"
        keepMounted={false}
      >
        <Tabs.List aria-label="What was sent">
          {request && <Tabs.Tab value="request">Request</Tabs.Tab>}
          <Tabs.Tab value="sent">
            {destinationOf(message.mode, session) === 'simulator'
              ? 'Sent to the simulator'
              : 'Sent to WhatsApp'}
          </Tabs.Tab>
        </Tabs.List>
        {request && (
          <Tabs.Panel value="request">
            <p className="card-body secondary">
              API request, rebuilt from the message sent: <code>{routeOf(request.type)}</code>
            </p>
            <CodeBlock language="json" code={printed(request.body)} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="sent">
          <CodeBlock language="json" code={printed(message.platform_payload)} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
