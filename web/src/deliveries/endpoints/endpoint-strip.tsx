import './endpoint-strip.css';
import {
  IconAlertTriangle,
  IconCircleDashed,
  IconPointFilled,
  IconToggleLeft,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { ListedEndpoint } from '../../api/types.ts';
import { lazyPart, OnceOpened } from '../../parts/lazy-part.tsx';
import { Moment } from '../../parts/moment.tsx';
import { counted } from '../../parts/numbers.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { Badge, type Look, ModeBadge } from '../../parts/status-badge.tsx';
import { duration, momentText } from '../../parts/times.ts';
import { usePlace } from '../../session/session.tsx';
import { offReasons } from '../failing-endpoints.ts';
import { defaultName } from '../named-endpoint.ts';
import { endpointsOfAllKeys } from './endpoints-of-all-keys.ts';
import {
  calledName,
  foldedTo,
  inPlace,
  isUnused,
  missedWords,
  rateWords,
  shortAddress,
} from './strip-words.ts';

const StripRecovery = lazyPart(() => import('./strip-recovery.tsx'), 'StripRecovery');

/** How many are shown until somebody asks for all. */
const foldedMax = { wide: 6, narrow: 3 };

const looks: Record<ListedEndpoint['health'] | 'unused', Look & { readonly word: string }> = {
  disabled: { tone: 'red', icon: IconToggleLeft, word: 'Disabled' },
  failing: { tone: 'amber', icon: IconAlertTriangle, word: 'Failing' },
  healthy: { tone: 'green', icon: IconPointFilled, word: 'Healthy' },
  unused: { tone: 'gray', icon: IconCircleDashed, word: 'Unused' },
};

interface EndpointStripProps {
  /** The endpoint whose deliveries are listed. */
  readonly chosen: string | undefined;
  readonly isNarrow: boolean;
  readonly onChoose: (id: string | undefined) => void;
}

/** How each endpoint does, a tile each. A click lists the deliveries of one, another click those of all. */
export function EndpointStrip({ chosen, isNarrow, onChoose }: EndpointStripProps) {
  const { accountId, mode } = usePlace();
  const query = useQuery(endpointsOfAllKeys(accountId, mode));
  const [isOpen, setIsOpen] = useState(false);
  const all = query.data;
  if (all?.length === 0) return null;
  const most = isNarrow ? foldedMax.narrow : foldedMax.wide;
  return (
    <section className="strip" aria-label="Endpoints">
      <QueryState query={query} isCard={!all} skeletonRows={2}>
        {(endpoints) => (
          <>
            <Tiles
              endpoints={isOpen ? endpoints : foldedTo(endpoints, most, chosen)}
              chosen={chosen}
              onChoose={onChoose}
            />
            <div className="spread wrap small">
              <span>Last 24 hours, at most the newest 1,000 deliveries of each endpoint</span>
              {endpoints.length > most && (
                <button
                  type="button"
                  className="link strip-fold"
                  aria-expanded={isOpen}
                  onClick={() => setIsOpen(!isOpen)}
                >
                  {isOpen ? 'Show fewer' : `Show all ${endpoints.length}`}
                </button>
              )}
            </div>
          </>
        )}
      </QueryState>
    </section>
  );
}

interface TilesProps extends Pick<EndpointStripProps, 'chosen' | 'onChoose'> {
  /** Those that need attention first. */
  readonly endpoints: readonly ListedEndpoint[];
}

function Tiles({ endpoints, chosen, onChoose }: TilesProps) {
  const [places, setPlaces] = useState<readonly string[]>([]);
  const shown = inPlace(endpoints, places);
  const ids = shown.map(({ endpoint_id: id }) => id);
  if (ids.some((id) => !places.includes(id))) setPlaces([...new Set([...places, ...ids])]);
  return (
    <ul className="strip-tiles">
      {shown.map((endpoint) => (
        <Tile
          key={endpoint.endpoint_id}
          endpoint={endpoint}
          isChosen={endpoint.endpoint_id === chosen}
          onChoose={onChoose}
        />
      ))}
    </ul>
  );
}

interface TileProps {
  readonly endpoint: ListedEndpoint;
  readonly isChosen: boolean;
  readonly onChoose: EndpointStripProps['onChoose'];
}

function Tile({ endpoint, isChosen, onChoose }: TileProps) {
  const { accountId, accounts } = usePlace();
  const { endpoint_id: id, account_id: ofAccount, endpoint_name: name, url } = endpoint;
  const look = looks[isUnused(endpoint) ? 'unused' : endpoint.health];
  const about = [
    endpoint.api_key_name,
    name !== defaultName && name,
    accountId === null &&
      accounts.length > 1 &&
      accounts.find((account) => account.id === ofAccount)?.name,
  ];
  return (
    <li className="card strip-tile" data-chosen={isChosen}>
      <div className="spread">
        <button
          type="button"
          className="mono cut strip-choice"
          title={url}
          aria-pressed={isChosen}
          aria-label={`Deliveries to ${shortAddress(url)}, ${calledName(endpoint)}`}
          onClick={() => onChoose(isChosen ? undefined : id)}
        >
          {shortAddress(url)}
        </button>
        <Badge look={look} word={look.word} />
      </div>
      <div className="small row strip-about">
        <span className="cut">{about.filter(Boolean).join(' · ')}</span>
        <ModeBadge mode={endpoint.mode} />
      </div>
      <Figures endpoint={endpoint} />
      <Trouble endpoint={endpoint} />
      <OnceOpened isOpen={endpoint.health === 'disabled' || endpoint.missed > 0}>
        {() => <StripRecovery endpoint={endpoint} />}
      </OnceOpened>
    </li>
  );
}

function Figures({ endpoint }: { endpoint: ListedEndpoint }) {
  const {
    endpoint_id: id,
    median_ms: median,
    last_success_at: success,
    retrying,
    waiting,
  } = endpoint;
  const missed = missedWords(endpoint);
  return (
    <dl className="strip-figures small">
      <Figure name="Succeeded">{rateWords(endpoint)}</Figure>
      {median !== null && <Figure name="Median">{duration(median)}</Figure>}
      <Figure name="Last success">{success === null ? 'None' : <Moment at={success} ago />}</Figure>
      {waiting > 0 && (
        <Figure name="Waiting">
          <StatusLink id={id} status="pending" words={counted(waiting, 'event')} />
        </Figure>
      )}
      {retrying > 0 && (
        <Figure name="To be tried again">
          <StatusLink id={id} status="retrying" words={counted(retrying, 'event')} />
        </Figure>
      )}
      {missed && (
        <Figure name="Missed">
          <span className="wrong">{missed}</span>
        </Figure>
      )}
    </dl>
  );
}

/** The deliveries of an endpoint with a status. */
const StatusLink = (props: { id: string; status: string; words: string }) => (
  <Link
    className="link strip-link"
    to="/webhooks"
    search={(before) => ({ ...before, endpoint: props.id, status: props.status })}
  >
    {props.words}
  </Link>
);

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Since when an endpoint does not work, why, and what follows. */
function Trouble({ endpoint }: { endpoint: ListedEndpoint }) {
  const { since, off_at: offAt, disabled_reason: reason, health } = endpoint;
  if (since === null) return null;
  if (health === 'disabled') {
    return (
      <p className="small wrong">
        Disabled since {momentText(since)}. {offReasons[reason ?? ''] ?? ''}
      </p>
    );
  }
  return (
    <p className="small soon">
      Failing since {momentText(since)}.
      {offAt !== null && ` Without a success it is switched off on ${momentText(offAt)}.`}
    </p>
  );
}
