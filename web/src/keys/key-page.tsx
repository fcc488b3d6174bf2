import { Button } from '@mantine/core';
import { IconCheck, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { addressOf } from '../api/client.ts';
import { keyQuery } from '../api/key-queries.ts';
import type { ApiKey } from '../api/types.ts';
import { ChangesCard } from '../audit/changes-card.tsx';
import { Card } from '../parts/card.tsx';
import { Fact } from '../parts/facts.tsx';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ShortId } from '../parts/short-id.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { ModeBadge, StatusBadge, wordOf } from '../parts/status-badge.tsx';
import { dateAndTime, daysUntil, fullTime, timeUntil } from '../parts/times.ts';
import { usePlace } from '../session/session.tsx';
import { EndpointsCard } from './endpoints/endpoints-card.tsx';
import { soonDays } from './expires-soon.ts';
import { KeptBodiesNotice } from './kept-bodies.tsx';
import { DeedsCard, UrgentDeeds } from './key-deeds.tsx';
import { MappingsCard } from './mappings-card.tsx';
import { NoKey } from './no-key.tsx';
import { OldValues } from './old-values.tsx';
import { stateReason } from './state-reason.ts';
import { UsageCard } from './usage-card.tsx';

/** One key: what it used, what it is, and what can be done to it. */
export function KeyPage() {
  const { keyId } = useParams({ from: '/keys/$keyId' });
  const key = useQuery(keyQuery(keyId));
  const { mayChange } = usePlace();
  const crumb = <Link to="/keys">API keys</Link>;
  if (!key.data) {
    return (
      <>
        <PageHeader title="API key" crumb={crumb} />
        <NoKey query={key} />
      </>
    );
  }
  const { data } = key;
  return (
    <>
      <PageHeader
        title={data.name}
        crumb={crumb}
        badges={
          <>
            <StatusBadge status={data.state} />
            <ModeBadge mode={data.mode} always />
          </>
        }
        sentence={data.description ?? 'No description'}
        actions={
          mayChange &&
          data.state !== 'revoked' && (
            <>
              <UrgentDeeds apiKey={data} />
              <Button
                component={Link}
                to={addressOf('/keys/{id}/edit', { id: data.id })}
                leftSection={<IconPencil size={16} />}
              >
                Edit
              </Button>
            </>
          )
        }
      />
      <StaleNotice query={key} />
      <StateNotice apiKey={data} />
      <KeptBodiesNotice apiKey={data} />
      {data.state !== 'revoked' && <OldValues apiKey={data} />}
      <div className="columns">
        <div className="stack">
          <UsageCard apiKey={data} />
          <EndpointsCard apiKey={data} />
          <MappingsCard apiKey={data} />
          {mayChange && <DeedsCard apiKey={data} />}
        </div>
        <div className="stack">
          <DetailsCard apiKey={data} />
          <Card title="Permissions">
            <ul className="card-body" style={{ display: 'grid', gap: 6 }}>
              {data.permissions.map((permission) => (
                <li key={permission} className="row">
                  <IconCheck size={16} color="var(--green)" aria-hidden="true" />
                  <code>{permission}</code>
                </li>
              ))}
            </ul>
          </Card>
          <ChangesCard subjectId={data.id} />
        </div>
      </div>
    </>
  );
}

/** Why the key is refused, next to its state. */
function StateNotice({ apiKey: key }: { apiKey: ApiKey }) {
  const reason = stateReason(key);
  if (reason === null) return null;
  const isHard = key.state === 'suspended' || key.state === 'revoked';
  return (
    <Notice tone={isHard ? 'red' : 'amber'} role="status" style={{ marginBottom: 16 }}>
      <b>{wordOf(key.state)}.</b> {reason}
    </Notice>
  );
}

function DetailsCard({ apiKey: key }: { apiKey: ApiKey }) {
  return (
    <Card title="Details">
      <dl className="facts card-body">
        <Fact name="Key" className="mono">
          {key.display}
        </Fact>
        <Fact name="Id">
          <ShortId id={key.id} name="id" />
        </Fact>
        <Fact name="Expires">{key.expires_at ? <Expiry at={key.expires_at} /> : 'Never'}</Fact>
        <Fact name="Signature">{key.require_signature ? 'Required' : 'Not required'}</Fact>
        <Fact name="Addresses" className={key.allowed_ips.length > 0 ? 'mono' : ''}>
          {key.allowed_ips.length > 0
            ? key.allowed_ips.map((address) => <div key={address}>{address}</div>)
            : 'Any'}
        </Fact>
        <Fact name="Event feed">{key.event_feed ? 'On' : 'Off'}</Fact>
        <Fact name="WhatsApp’s own API">{key.graph_access ? 'On' : 'Off'}</Fact>
        <Fact name="Created">
          <Moment at={key.created_at} />
        </Fact>
      </dl>
    </Card>
  );
}

function Expiry({ at }: { at: string }) {
  const isToCome = Date.parse(at) > Date.now();
  return (
    <>
      <time dateTime={at} title={fullTime(at)}>
        {dateAndTime(at)}
      </time>
      {isToCome && daysUntil(at) <= soonDays && <div className="small soon">{timeUntil(at)}</div>}
    </>
  );
}
