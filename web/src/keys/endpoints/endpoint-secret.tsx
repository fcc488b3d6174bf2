import { call } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { Endpoint } from '../../api/types.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { proposedOverlap, rotateWords } from '../overlaps.ts';
import { SecretDialog } from '../secret-dialog.tsx';

interface EndpointRotationProps {
  readonly keyId: string;
  readonly endpoint: Endpoint;
  readonly isAsked: boolean;
  readonly onClose: () => void;
}

/** Gives an endpoint a new secret and shows it once. */
export function EndpointRotation({ keyId, endpoint, isAsked, onClose }: EndpointRotationProps) {
  const reread = useReread();
  // WhatsApp's own form has room for one signature.
  const isAtOnce = endpoint.format === 'whatsapp';
  const path = '/api-keys/{id}/webhooks/{endpoint_id}/rotate-secret';
  const given = { id: keyId, endpoint_id: endpoint.id };
  const rotation = useGuardedMutation({
    mutationFn: async () => (await call('POST', path, given)).data.secret,
    onSuccess: () => void reread(['key', keyId]),
  });
  return (
    <SecretDialog
      isOpen={isAsked}
      question={`Rotate the webhook secret of “${endpoint.name}”?`}
      isPending={rotation.isPending}
      secret={
        rotation.data === undefined
          ? null
          : {
              title: `“${endpoint.name}” has a new webhook secret`,
              name: 'New webhook secret',
              purpose: 'Shown only once. Verifies that a webhook came from Parley.',
              value: rotation.data,
            }
      }
      onClose={onClose}
      onGone={rotation.reset}
    >
      <DialogForm
        go={rotateWords('webhook secret', isAtOnce ? '0' : proposedOverlap, Date.now())}
        isPending={rotation.isPending}
        isHeld={rotation.isPending}
        error={rotation.error}
        effect="The secret was not changed."
        onKeep={onClose}
        onGo={() => rotation.mutate()}
      >
        <p>
          {isAtOnce
            ? 'From the next attempt on the new secret alone signs, also what waits. Give it to your program at once.'
            : 'The old secret keeps working for 24 hours. In that time every event has both signatures, and you can verify either.'}
        </p>
      </DialogForm>
    </SecretDialog>
  );
}
