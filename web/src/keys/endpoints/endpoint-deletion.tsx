import { call } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { Endpoint } from '../../api/types.ts';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { Question } from '../../parts/question.tsx';
import { lostWords } from './endpoint-words.ts';

interface EndpointDeletionProps {
  readonly keyId: string;
  readonly endpoint: Endpoint;
  /** What people call it. */
  readonly name: string;
  readonly isAsked: boolean;
  readonly onClose: () => void;
}

/** Asks before an endpoint is deleted. */
export function EndpointDeletion({
  keyId,
  endpoint,
  name,
  isAsked,
  onClose,
}: EndpointDeletionProps) {
  const reread = useReread();
  const deletion = useGuardedMutation({
    mutationFn: () =>
      call('DELETE', '/api-keys/{id}/webhooks/{endpoint_id}', {
        id: keyId,
        endpoint_id: endpoint.id,
      }),
    onSuccess: async () => {
      onClose();
      await reread(['key', keyId], ['keys'], ['deliveries'], ['alerts'], ['overview']);
    },
  });
  return (
    <Question
      isAsked={isAsked}
      title={`Delete “${name}”?`}
      go="Delete endpoint"
      isDestructive
      isPending={deletion.isPending}
      error={deletion.error}
      effect="The endpoint was not deleted."
      onKeep={onClose}
      onGo={() => deletion.mutate()}
    >
      <p>
        It gets no more events at <span className="mono">{endpoint.url}</span>.{' '}
        {lostWords([endpoint], 'it')} Its secret is gone for good.
      </p>
    </Question>
  );
}
