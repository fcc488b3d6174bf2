import { Select } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { ApiKey } from '../api/types.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { useGuardedMutation } from '../parts/mutation.ts';
import { overlaps, proposedOverlap, rotateWords } from './overlaps.ts';
import { SecretDialog } from './secret-dialog.tsx';

/** A secret of a key other than the key itself. */
export type KeySecret = 'signing_secret' | 'webhook_secret';

const secrets = {
  signing_secret: {
    name: 'signing secret',
    path: 'signing-secret/rotate',
    purpose: 'Shown only once. For requests signed with X-Signature.',
    text: 'Programs that sign their requests need the new secret. The old one keeps working for as long as you choose here.',
  },
  webhook_secret: {
    name: 'webhook secret',
    path: 'webhook/rotate-secret',
    purpose: 'Shown only once. Verifies that a webhook came from Parley.',
    text: 'While the old secret works, every event has both signatures, and you can verify either.',
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
  const [shown, setShown] = useState<KeySecret>(secret ?? 'signing_secret');
  if (secret !== null && secret !== shown) setShown(secret);
  const rotation = useSecretRotation(apiKey.id);
  const { name, purpose } = secrets[shown];
  return (
    <SecretDialog
      isOpen={secret !== null}
      question={`Rotate the ${name} of “${apiKey.name}”?`}
      isPending={rotation.isPending}
      secret={
        rotation.data === undefined
          ? null
          : {
              title: `“${apiKey.name}” has a new ${name}`,
              name: `New ${name}`,
              purpose,
              value: rotation.data,
            }
      }
      onClose={onClose}
      onGone={rotation.reset}
    >
      <Question secret={shown} rotation={rotation} onKeep={onClose} />
    </SecretDialog>
  );
}

function useSecretRotation(keyId: string) {
  const reread = useReread();
  return useGuardedMutation({
    mutationFn: async ({ secret, overlap }: { secret: KeySecret; overlap: number }) => {
      const body = { overlap_seconds: overlap };
      const path = `/api-keys/{id}/${secrets[secret].path}` as const;
      const { data } = await call('POST', path, { id: keyId }, body);
      return 'signing_secret' in data ? data.signing_secret : data.webhook_secret;
    },
    onSuccess: () => void reread(['key', keyId]),
  });
}

interface QuestionProps {
  readonly secret: KeySecret;
  readonly rotation: ReturnType<typeof useSecretRotation>;
  readonly onKeep: () => void;
}

function Question({ secret, rotation, onKeep }: QuestionProps) {
  const [overlap, setOverlap] = useState(proposedOverlap);
  return (
    <DialogForm
      go={rotateWords(secrets[secret].name, overlap, Date.now())}
      isPending={rotation.isPending}
      isHeld={rotation.isPending}
      error={rotation.error}
      effect="The secret was not changed."
      onKeep={onKeep}
      onGo={() => rotation.mutate({ secret, overlap: Number(overlap) })}
    >
      <p>{secrets[secret].text}</p>
      <Select
        label="The old secret keeps working for"
        data={overlaps}
        data-autofocus
        value={overlap}
        onChange={(value) => setOverlap(value ?? '0')}
      />
    </DialogForm>
  );
}
