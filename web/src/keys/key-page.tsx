import { Button } from '@mantine/core';
import { IconCheck, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
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
import { WrongLine } from '../parts/wrong-line.tsx';
import { usePlace } from '../session/session.tsx';
import { EndpointsCard } from './endpoints/endpoints-card.tsx';
import { soonDays } from './expires-soon.ts';
import { KeepBodiesLine, KeptBodiesNotice } from './kept-bodies.tsx';
import { type KeyDeed, useKeyChange } from './key-changes.ts';
import { KeyConfirmation } from './key-confirmation.tsx';
import { MappingsCard } from './mappings-card.tsx';
import { NoKey } from './no-key.tsx';
import { OldValues } from './old-values.tsx';
import { SecretRotation } from './secret-rotation.tsx';
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
            <Button
              component={Link}
              to={addressOf('/keys/{id}/edit', { id: data.id })}
              leftSection={<IconPencil size={16} />}
            >
              Edit
            </Button>
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

const destructive: ReadonlySet<string> = new Set(['suspend', 'revoke', 'delete']);

interface DeedLine {
  readonly deed: KeyDeed | 'rotate-signing' | 'switch';
  readonly name: string;
  readonly text: string;
  readonly button: string;
  readonly isOffered: boolean;
}

function DeedsCard({ apiKey: key }: { apiKey: ApiKey }) {
  const { session } = usePlace();
  const navigate = useNavigate();
  const [deed, setDeed] = useState<KeyDeed | null>(null);
  const [isRotating, setIsRotating] = useState(false);
  const isOperator = session.user.role === 'operator';
  const isOver = key.state === 'revoked';
  const isSuspended = key.suspended_at !== null;
  const change = useKeyChange(key.id);
  const lines: DeedLine[] = [
    {
      deed: 'rotate',
      name: 'Rotate the key',
      text: 'Creates a new key; the old one keeps working for as long as you choose.',
      button: 'Rotate key…',
      isOffered: !isOver,
    },
    {
      deed: 'rotate-signing',
      name: 'Rotate the signing secret',
      text: 'For requests with X-Signature. The key itself stays as it is.',
      button: 'Rotate signing secret…',
      isOffered: !isOver,
    },
    {
      deed: 'switch',
      name: key.active ? 'Switch off' : 'Switch on',
      text: key.active
        ? 'Its requests are refused at once. You can switch it on again at any time.'
        : 'Its requests are accepted again at once.',
      button: key.active ? 'Switch off' : 'Switch on',
      isOffered: key.state === 'active' || key.state === 'inactive',
    },
    {
      deed: 'suspend',
      name: 'Suspend',
      text: 'Refused with SUSPENDED_API_KEY until an operator reinstates it.',
      button: 'Suspend…',
      isOffered: isOperator && !isOver && !isSuspended,
    },
    {
      deed: 'reinstate',
      name: 'Reinstate',
      text: 'Its requests are accepted again.',
      button: 'Reinstate…',
      isOffered: isOperator && !isOver && isSuspended,
    },
    {
      deed: 'revoke',
      name: 'Revoke',
      text: 'Its requests get REVOKED_API_KEY, permanently. It stays in this list.',
      button: 'Revoke…',
      isOffered: !isOver,
    },
    {
      deed: 'delete',
      name: 'Delete',
      text: 'Permanent and immediate: requests get INVALID_API_KEY. Its mappings and webhooks are deleted.',
      button: 'Delete…',
      isOffered: true,
    },
  ];
  return (
    <Card title="Actions">
      {!isOver && key.bodies_kept_until === null && <KeepBodiesLine apiKey={key} />}
      {lines
        .filter(({ isOffered }) => isOffered)
        .map((line) => (
          <div key={line.deed} className="danger spread">
            <div>
              <div className="strong">{line.name}</div>
              <div className="secondary">{line.text}</div>
            </div>
            <Button
              style={{ flex: 'none' }}
              loading={line.deed === 'switch' && change.isPending}
              {...(destructive.has(line.deed) && { c: 'var(--red-text)' })}
              onClick={() => {
                if (line.deed === 'switch') change.mutate({ active: !key.active });
                else if (line.deed === 'rotate-signing') setIsRotating(true);
                else setDeed(line.deed);
              }}
            >
              {line.button}
            </Button>
          </div>
        ))}
      <WrongLine
        error={change.error}
        className="card-body"
        isSmall
        effect="The key was not changed."
      />
      <SecretRotation
        apiKey={key}
        secret={isRotating ? 'signing_secret' : null}
        onClose={() => setIsRotating(false)}
      />
      <KeyConfirmation
        apiKey={key}
        deed={deed}
        onClose={() => setDeed(null)}
        onDeleted={() => void navigate({ to: '/keys' })}
      />
    </Card>
  );
}
