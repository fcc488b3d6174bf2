import { IconAlertTriangle, IconPointFilled, IconToggleLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { webhookReportQuery } from '../../api/key-queries.ts';
import type { ApiKey, Endpoint, WebhookReport } from '../../api/types.ts';
import { errorText } from '../../deliveries/attempt-words.ts';
import { isFailing } from '../../deliveries/failing-endpoints.ts';
import { FailingText, OffText } from '../../deliveries/failing-notices.tsx';
import { defaultName } from '../../deliveries/named-endpoint.ts';
import { Fact } from '../../parts/facts.tsx';
import { HttpCode } from '../../parts/http-code.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { amount } from '../../parts/numbers.ts';
import { Badge, type Look } from '../../parts/status-badge.tsx';
import { duration } from '../../parts/times.ts';
import { ForChangers } from '../../session/changers.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import {
  type EndpointStanding,
  filterWords,
  standingOf,
  successWords,
  waitingWords,
  whatsappWords,
} from './endpoint-words.ts';

const standings: Record<NonNullable<EndpointStanding>, Look & { readonly word: string }> = {
  off: { tone: 'red', icon: IconToggleLeft, word: 'Off' },
  failing: { tone: 'amber', icon: IconAlertTriangle, word: 'Failing' },
  working: { tone: 'green', icon: IconPointFilled, word: 'Working' },
};

interface EndpointItemProps {
  readonly apiKey: ApiKey;
  readonly endpoint: Endpoint;
}

/** One endpoint: where it is, what it gets, how that has been, and what can be done about it. */
export function EndpointItem({ apiKey: key, endpoint }: EndpointItemProps) {
  const { name, health } = endpoint;
  const isOwn = name === defaultName;
  const standing = standingOf(endpoint);
  const waiting = waitingWords(health, Date.now());
  return (
    <li className="endpoint card-body">
      <div className="spread wrap">
        <div className="row wrap">
          <h3>{name}</h3>
          {standing && <Badge look={standings[standing]} word={standings[standing].word} />}
        </div>
        <ForChangers>
          <EndpointActions apiKey={key} endpoint={endpoint} />
        </ForChangers>
      </div>
      <Trouble apiKey={key} endpoint={endpoint} />
      <dl className="facts">
        <Fact name="URL" className="mono">
          {endpoint.url}
        </Fact>
        <Fact name="Events" className="row wrap">
          {chipsOf(endpoint).map((event) => (
            <span key={event} className="chip">
              {event}
            </span>
          ))}
        </Fact>
        <Lines name="WhatsApp’s form" lines={whatsappWords(endpoint)} />
        <Lines name="Filter" lines={filterWords(endpoint)} />
        <Fact name="Last 24 h">
          {successWords(health)}
          {isOwn && <Report apiKey={key} />}
        </Fact>
        <Fact name="Waiting">{waiting}</Fact>
        <Fact name="Last success">
          {health.last_success_at && <Moment at={health.last_success_at} ago />}
        </Fact>
        <Fact name="Last failure" className="row wrap">
          {health.last_failure && <Failure failure={health.last_failure} />}
        </Fact>
      </dl>
    </li>
  );
}

/** What it gets. */
function chipsOf({ format, events, fields }: Endpoint): readonly string[] {
  if (format === 'parley') return events ?? [];
  return (fields ?? ['*']).map((field) => `whatsapp.${field}`);
}

/** What is wrong with an endpoint. Of the key's own, more is known. */
function Trouble({ apiKey, endpoint }: EndpointItemProps) {
  let text: ReactNode = null;
  if (endpoint.name === defaultName) text = isFailing(apiKey) && <FailingText apiKey={apiKey} />;
  else if (endpoint.disabled_at !== null) {
    const { url, disabled_at: since, disabled_reason: reason } = endpoint;
    text = <OffText url={url} since={since} reason={reason} />;
  }
  return text ? <Notice tone="red">{text}</Notice> : null;
}

function Lines({ name, lines }: { name: string; lines: readonly string[] }) {
  return (
    <Fact name={name}>{lines.length > 0 && lines.map((line) => <div key={line}>{line}</div>)}</Fact>
  );
}

function Failure({ failure }: { failure: NonNullable<Endpoint['health']['last_failure']> }) {
  const text = errorText(failure.error);
  return (
    <>
      <Moment at={failure.at} ago />
      <HttpCode status={failure.status_code} />
      {text && <span className="quiet">{text}</span>}
    </>
  );
}

/** What else is known of the deliveries of the key's own endpoint. */
function Report({ apiKey }: { apiKey: ApiKey }) {
  const report = useQuery(webhookReportQuery(apiKey.id)).data;
  return report ? <span className="quiet">{reportText(report)}</span> : null;
}

function reportText({ retried, median_ms: median }: WebhookReport): string {
  return [
    ...(retried > 0 ? [`${amount(retried)} tried again`] : []),
    ...(median === null ? [] : [`median ${duration(median)}`]),
  ]
    .map((part) => ` · ${part}`)
    .join('');
}
