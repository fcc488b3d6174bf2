import './endpoint-strip.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Delivery, ListedEndpoint } from '../../api/types.ts';
import { lazyPart, OnceOpened } from '../../parts/lazy-part.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { ModeBadge } from '../../parts/status-badge.tsx';
import { usePlace } from '../../session/session.tsx';
import { defaultName } from '../named-endpoint.ts';
import { figuresOf, HealthBadge, troubleText } from './endpoint-standing.tsx';
import { endpointsOfAllKeys } from './endpoints-of-all-keys.ts';
import { calledName, foldedTo, inPlace, sampleWords, shortAddress } from './strip-words.ts';
import { TestEventButton } from './test-event-button.tsx';

const StripRecovery = lazyPart(() => import('./strip-recovery.tsx'), 'StripRecovery');

/** How many are shown until somebody asks for all. */
const foldedMax = { wide: 6, narrow: 3 };

interface EndpointStripProps {
  /** The endpoint whose deliveries are listed. */
  readonly chosen: string | undefined;
  readonly isNarrow: boolean;
  readonly onChoose: (id: string | undefined) => void;
  /** A test event is on its way. */
  readonly onTested: (delivery: Delivery, endpoint: ListedEndpoint) => void;
}

/** How each endpoint does, a tile each. A click lists the deliveries of one, another click those of all. */
export function EndpointStrip({ chosen, isNarrow, onChoose, onTested }: EndpointStripProps) {
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
              onTested={onTested}
            />
            <div className="spread wrap small">
              <span>{sampleWords}</span>
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

interface TilesProps extends Pick<EndpointStripProps, 'chosen' | 'onChoose' | 'onTested'> {
  /** Those that need attention first. */
  readonly endpoints: readonly ListedEndpoint[];
}

function Tiles({ endpoints, chosen, onChoose, onTested }: TilesProps) {
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
          onTested={onTested}
        />
      ))}
    </ul>
  );
}

interface TileProps {
  readonly endpoint: ListedEndpoint;
  readonly isChosen: boolean;
  readonly onChoose: EndpointStripProps['onChoose'];
  readonly onTested: EndpointStripProps['onTested'];
}

function Tile({ endpoint, isChosen, onChoose, onTested }: TileProps) {
  const { accountId, accounts } = usePlace();
  const { endpoint_id: id, account_id: ofAccount, endpoint_name: name, url } = endpoint;
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
        <HealthBadge endpoint={endpoint} />
      </div>
      <div className="small row strip-about">
        <span className="cut">{about.filter(Boolean).join(' · ')}</span>
        <ModeBadge mode={endpoint.mode} />
      </div>
      <Figures endpoint={endpoint} />
      <Trouble endpoint={endpoint} />
      <TestEventButton endpoints={[endpoint]} isSmall onSent={onTested} />
      <OnceOpened isOpen={endpoint.health === 'disabled' || endpoint.missed > 0}>
        {() => <StripRecovery endpoint={endpoint} />}
      </OnceOpened>
    </li>
  );
}

function Figures({ endpoint }: { endpoint: ListedEndpoint }) {
  return (
    <dl className="strip-figures small">
      {figuresOf(endpoint).map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Trouble({ endpoint }: { endpoint: ListedEndpoint }) {
  const text = troubleText(endpoint);
  return (
    text && <p className={`small ${endpoint.health === 'disabled' ? 'wrong' : 'soon'}`}>{text}</p>
  );
}
