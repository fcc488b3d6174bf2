import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiKey } from '../api/types.ts';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { Question } from '../parts/question.tsx';
import { ForChangers } from '../session/changers.tsx';
import { type SecretKind, useOverlapEnd } from './key-changes.ts';

type KeySecret = ApiKey['secrets'][number];

const kinds: readonly SecretKind[] = ['key', 'signing', 'webhook'];

const words = {
  key: {
    name: 'key',
    text: 'Requests with the old key get INVALID_API_KEY from now on. The new key is not affected.',
  },
  signing: {
    name: 'signing secret',
    text: 'Requests that are signed with the old secret get INVALID_SIGNATURE from now on. The new secret is not affected.',
  },
  webhook: {
    name: 'webhook secret',
    text: 'From now on, events have only the signature of the new secret. A receiver that verifies the old one refuses them.',
  },
} as const;

/** Which old values of a key still work, when and from where they were used last, and how to end them. */
export function OldValues({ apiKey: key }: { apiKey: ApiKey }) {
  return kinds.map((kind) => {
    const old = key.secrets.filter((one) => one.kind === kind && one.expires_at !== null);
    return <OldOfKind key={kind} apiKey={key} kind={kind} old={old} />;
  });
}

interface OldOfKindProps {
  readonly apiKey: ApiKey;
  readonly kind: SecretKind;
  readonly old: readonly KeySecret[];
}

function OldOfKind({ apiKey: key, kind, old }: OldOfKindProps) {
  const [isAsked, setIsAsked] = useState(false);
  const change = useOverlapEnd(key.id);
  const close = () => {
    setIsAsked(false);
    change.reset();
  };
  const { name, text } = words[kind];
  const several = old.length > 1;
  return (
    <>
      {old.length > 0 && (
        <Notice tone="amber" icon={IconKey} role="status" style={{ marginBottom: 16 }}>
          <b>{several ? `Two old ${name}s still work.` : `The old ${name} still works.`}</b>
          {old.map((one) => (
            <div key={one.expires_at}>
              Until {one.expires_at && <Moment at={one.expires_at} to="minute" />}.{' '}
              <LastUse secret={one} />
            </div>
          ))}
          <ForChangers>
            <div style={{ marginTop: 8 }}>
              <Button size="xs" onClick={() => setIsAsked(true)}>
                End the old {several ? `${name}s` : name} now…
              </Button>
            </div>
          </ForChangers>
        </Notice>
      )}
      <Question
        isAsked={isAsked}
        title={`End the old ${name} of “${key.name}” now?`}
        go={`End the old ${name}`}
        isDestructive
        isPending={change.isPending}
        error={change.error}
        effect={`The old ${name} still works.`}
        onKeep={close}
        onGo={() => change.mutate(kind, { onSuccess: close })}
      >
        <p>{text}</p>
        {old.map((one) => (
          <p key={one.expires_at} className="secondary">
            <LastUse secret={one} />
          </p>
        ))}
      </Question>
    </>
  );
}

function LastUse({
  secret: { kind, last_used_at: at, last_used_from: from },
}: {
  secret: KeySecret;
}) {
  if (kind === 'webhook') return 'Only your receiver knows which of the two it verifies.';
  if (at === null) return 'No request has used it.';
  return (
    <>
      Last used <Moment at={at} ago />
      {from && ` from ${from}`}.
    </>
  );
}
