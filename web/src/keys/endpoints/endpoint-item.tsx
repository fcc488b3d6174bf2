import type { ApiKey, Endpoint, ListedEndpoint } from '../../api/types.ts';
import { errorText } from '../../deliveries/attempt-words.ts';
import {
  figuresOf,
  HealthBadge,
  troubleText,
} from '../../deliveries/endpoints/endpoint-standing.tsx';
import { defaultName, endpointName } from '../../deliveries/named-endpoint.ts';
import { Fact } from '../../parts/facts.tsx';
import { HttpCode } from '../../parts/http-code.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ForChangers } from '../../session/changers.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { filterWords, whatsappWords } from './endpoint-words.ts';

interface EndpointItemProps {
  readonly apiKey: ApiKey;
  readonly endpoint: Endpoint;
  /** As Webhooks lists it; undefined for a key that is revoked. */
  readonly standing: ListedEndpoint | undefined;
}

/** One endpoint: where it is, what it gets, how that has been, and what can be done about it. */
export function EndpointItem({ apiKey: key, endpoint, standing }: EndpointItemProps) {
  const { name, health } = endpoint;
  const trouble = standing && troubleText(standing);
  return (
    <li className="endpoint card-body">
      <div className="spread wrap">
        <div className="row wrap">
          <h3>{endpointName(name, key.name)}</h3>
          {name === defaultName && <span className="small">default endpoint</span>}
          {standing && <HealthBadge endpoint={standing} />}
        </div>
        <ForChangers>
          <EndpointActions apiKey={key} endpoint={endpoint} standing={standing} />
        </ForChangers>
      </div>
      {trouble && (
        <Notice tone="red">
          {trouble}
          {standing.health === 'disabled' &&
            ' Its events fail until you enable it; then you can recover them.'}
        </Notice>
      )}
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
        {standing &&
          figuresOf(standing).map((figure) => (
            <Fact key={figure.name} name={figure.name}>
              {figure.value}
            </Fact>
          ))}
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
