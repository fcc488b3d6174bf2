import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKey } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { usePlace } from '../session/session.tsx';
import { KeepBodiesLine } from './kept-bodies.tsx';
import { type KeyDeed, useKeyChange } from './key-changes.ts';
import { KeyConfirmation } from './key-confirmation.tsx';
import { SecretRotation } from './secret-rotation.tsx';

const red = { c: 'var(--red-text)' } as const;

/** What somebody needs at once whose key has leaked. */
export function UrgentDeeds({ apiKey: key }: { apiKey: ApiKey }) {
  const [deed, setDeed] = useState<KeyDeed | null>(null);
  const change = useKeyChange(key.id);
  const isSwitched = key.state === 'active' || key.state === 'inactive';
  const turn = () => {
    if (key.active && key.mode === 'live') setDeed('switch-off');
    else change.mutate({ active: !key.active });
  };
  return (
    <>
      <Button onClick={() => setDeed('rotate')}>Rotate key…</Button>
      {isSwitched && (
        <Button loading={change.isPending} onClick={turn}>
          {key.active ? (key.mode === 'live' ? 'Switch off…' : 'Switch off') : 'Switch on'}
        </Button>
      )}
      <Button {...red} onClick={() => setDeed('revoke')}>
        Revoke…
      </Button>
      <WrongLine error={change.error} isSmall effect="The key was not changed." />
      <KeyConfirmation apiKey={key} deed={deed} onClose={() => setDeed(null)} />
    </>
  );
}

interface DeedLine {
  readonly deed: KeyDeed | 'rotate-signing';
  readonly name: string;
  readonly text: string;
  readonly button: string;
  readonly isOffered: boolean;
}

/** What else can be done to a key. */
export function DeedsCard({ apiKey: key }: { apiKey: ApiKey }) {
  const { session } = usePlace();
  const navigate = useNavigate();
  const [deed, setDeed] = useState<KeyDeed | null>(null);
  const [isRotating, setIsRotating] = useState(false);
  const isOperator = session.user.role === 'operator';
  const isOver = key.state === 'revoked';
  const isSuspended = key.suspended_at !== null;
  const lines: DeedLine[] = [
    {
      deed: 'rotate-signing',
      name: 'Rotate the signing secret',
      text: 'For requests with X-Signature. The key itself stays as it is.',
      button: 'Rotate signing secret…',
      isOffered: !isOver,
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
              {...((line.deed === 'suspend' || line.deed === 'delete') && red)}
              onClick={() => {
                if (line.deed === 'rotate-signing') setIsRotating(true);
                else setDeed(line.deed);
              }}
            >
              {line.button}
            </Button>
          </div>
        ))}
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
