import { Button, Modal, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import type { ApiKey } from '../api/types.ts';
import { overlaps } from './overlaps.ts';
import { SecretValue } from './secret-value.tsx';

/** A secret of a key beside the key itself. */
export type KeySecret = 'signing_secret' | 'webhook_secret';

const secrets = {
  signing_secret: {
    name: 'signing secret',
    path: 'signing-secret/rotate',
    purpose: 'Shown only this once. For requests signed with X-Signature.',
    text: 'Programs that sign their requests need the new one. Until you give it to them, they go on with the old one for as long as you say here.',
  },
  webhook_secret: {
    name: 'webhook secret',
    path: 'webhook/rotate-secret',
    purpose: 'Shown only this once. Verifies that a webhook came from Parley.',
    text: 'While the old one works, every event carries the signatures of both, and either verifies.',
  },
} as const;

interface SecretRotationProps {
  readonly apiKey: ApiKey;
  /** Null: nothing is asked. */
  readonly secret: KeySecret | null;
  readonly onClose: () => void;
}

/** Gives a key a new secret and shows it once. */
export function SecretRotation({ apiKey, secret, onClose }: SecretRotationProps) {
  // The dialog keeps its words while it fades.
  const [shown, setShown] = useState(secret);
  if (secret !== null && secret !== shown) setShown(secret);
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={shown && `Rotate the ${secrets[shown].name} of “${apiKey.name}”?`}
    >
      {shown && <Rotation apiKey={apiKey} secret={shown} onClose={onClose} />}
    </Modal>
  );
}

function Rotation({ apiKey, secret, onClose }: SecretRotationProps & { secret: KeySecret }) {
  const client = useQueryClient();
  const { name, path, purpose, text } = secrets[secret];
  const [overlap, setOverlap] = useState('86400');
  const rotation = useMutation({
    mutationFn: async () => {
      const body = { overlap_seconds: Number(overlap) };
      const answer = await call<Partial<Record<KeySecret, string>>>(
        'POST',
        `/api-keys/${apiKey.id}/${path}`,
        body,
      );
      return answer.data[secret] ?? '';
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['key', apiKey.id] }),
  });
  if (rotation.data) {
    return (
      <>
        <SecretValue name={`New ${name}`} purpose={purpose} value={rotation.data} isMain />
        <div className="row question-buttons" style={{ marginTop: 16 }}>
          <Button onClick={onClose}>I have stored it</Button>
        </div>
      </>
    );
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        rotation.mutate();
      }}
    >
      <p>{text}</p>
      <Select
        label="The old secret keeps working for"
        data={overlaps}
        value={overlap}
        allowDeselect={false}
        onChange={(value) => setOverlap(value ?? '0')}
      />
      {rotation.isError && (
        <p className="wrong" role="alert">
          {rotation.error.message} The secret is as it was.
        </p>
      )}
      <div className="row question-buttons">
        <Button onClick={onClose}>Keep secret</Button>
        <Button type="submit" variant="filled" loading={rotation.isPending}>
          Rotate secret
        </Button>
      </div>
    </form>
  );
}
