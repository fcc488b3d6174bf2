import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { dayMs } from '../../../../libs/durations/index.ts';
import { call } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { ListedEndpoint } from '../../api/types.ts';
import { missedNothing, standingWords } from '../../deliveries/endpoints/recovery-words.ts';
import { StillWaits } from '../../deliveries/endpoints/still-waits.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { fieldMinute, readField } from '../../parts/field-time.ts';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { amount } from '../../parts/numbers.ts';
import { TimeField } from '../../parts/time-field.tsx';

interface EndpointRecoveryProps {
  readonly keyId: string;
  /** The endpoint: its id and what people call it. */
  readonly endpointId: string;
  readonly name: string;
  /** As Webhooks lists it: since when it fails, and how much it missed. */
  readonly standing: ListedEndpoint | undefined;
  readonly isAsked: boolean;
  readonly onClose: () => void;
}

/** Delivers once more what an endpoint missed since a time. */
export function EndpointRecovery({ isAsked, onClose, ...endpoint }: EndpointRecoveryProps) {
  return (
    <Modal
      opened={isAsked}
      onClose={onClose}
      title={`Recover what “${endpoint.name}” missed?`}
      keepMounted={false}
    >
      <Recovery {...endpoint} onClose={onClose} />
    </Modal>
  );
}

function Recovery({
  keyId,
  endpointId,
  standing,
  onClose,
}: Omit<EndpointRecoveryProps, 'isAsked'>) {
  const reread = useReread();
  const [first] = useState(() =>
    fieldMinute(new Date(standing?.missed_since ?? Date.now() - dayMs), 'local'),
  );
  const [since, setSince] = useState(first);
  const read = readField(since, { zone: 'local' });
  const recovery = useGuardedMutation({
    mutationFn: async () => {
      const path = '/api-keys/{id}/webhooks/{endpoint_id}/recover';
      const given = { id: keyId, endpoint_id: endpointId };
      return (await call('POST', path, given, { since: read.at ?? '' })).data.recovered;
    },
    onSuccess: () => reread(['deliveries'], ['key', keyId]),
  });
  // The time that the field begins with stays known while the list is read anew.
  const known = since === first ? standing?.missed_since : read.at;
  const isNothing = standing && known ? missedNothing(standing, known) : false;
  const stillWaits = standing && <StillWaits endpoint={standing} onLeave={onClose} />;
  if (recovery.data !== undefined) {
    return (
      <div className="stack">
        <p role="status">
          {recovery.data === 0
            ? 'Nothing has failed since then, so there is nothing to redeliver.'
            : `${amount(recovery.data)} ${recovery.data === 1 ? 'event is' : 'events are'} redelivered, each under the id that it had.`}
        </p>
        {stillWaits}
        <div className="row question-buttons">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    );
  }
  return (
    <DialogForm
      go="Recover events"
      isReady={!read.fault && !isNothing}
      isPending={recovery.isPending}
      error={recovery.error}
      effect="Nothing is redelivered."
      onKeep={onClose}
      onGo={() => recovery.mutate()}
    >
      <p>
        Redelivers every event that has failed since this time, with the same id and bytes.
        Successful deliveries are not repeated.
      </p>
      {standing && <p>{standingWords(standing)}</p>}
      {stillWaits}
      <TimeField
        label="Since"
        description="Your local time"
        data-autofocus
        value={since}
        read={read}
        onChange={setSince}
      />
      <p className="small" role="status" hidden={!isNothing}>
        {isNothing && 'Nothing has failed since then, so there is nothing to recover.'}
      </p>
    </DialogForm>
  );
}
