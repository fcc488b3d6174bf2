import { SegmentedControl, Textarea } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { ConsentScope, ConsentState, ContactDetails } from '../api/types.ts';
import { contactName } from '../parts/contact-name.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { useGuardedMutation } from '../parts/mutation.ts';
import { TypedModal } from '../parts/typed-modal.tsx';
import { endedWords, presentWords, scopeWords, stateWords } from './consent-words.ts';

interface ConsentQuestionProps {
  readonly contact: ContactDetails;
  readonly onClose: () => void;
}

const evidenceMax = 500;

/** What follows from each answer. */
const effects: Readonly<Record<ConsentState, Readonly<Record<ConsentScope, string>>>> = {
  opted_out: {
    marketing:
      'Marketing templates to this contact are refused. Those that are queued fail at once.',
    all: 'All templates but one-time codes are refused. Those that are queued fail at once. Free-form messages still arrive while the window is open.',
  },
  opted_in: {
    marketing: 'Marketing templates may be sent again, unless they opted out of all templates.',
    all: 'Templates may be sent again. An opt-out of marketing stays.',
  },
};

/** Records what a contact said to somebody. */
export function ConsentQuestion({ contact, onClose }: ConsentQuestionProps) {
  const reread = useReread();
  // What they said is evidence: nothing is said for them.
  const [scope, setScope] = useState<ConsentScope | null>(null);
  const [state, setState] = useState<ConsentState | null>(null);
  const [evidence, setEvidence] = useState('');
  const save = useGuardedMutation({
    mutationFn: (said: { scope: ConsentScope; state: ConsentState }) =>
      call(
        'PUT',
        '/contacts/{id}/consent',
        { id: contact.contact_id },
        {
          ...said,
          ...(evidence.trim() && { evidence: evidence.trim() }),
        },
      ),
    onSuccess: async () => {
      await reread(['contact', contact.contact_id], ['contacts'], ['messages']);
      onClose();
    },
  });
  const isOut = state === 'opted_out';
  const said = scope && state && { scope, state };
  const ended = said && endedWords(contact.consents, said.scope, said.state);
  return (
    <TypedModal opened onClose={onClose} title={`Consent of ${contactName(contact)}`}>
      <DialogForm
        go={state === null ? 'Record consent' : isOut ? 'Record opt-out' : 'Record opt-in'}
        isReady={said !== null}
        isDestructive={isOut}
        isPending={save.isPending}
        error={save.error}
        onKeep={onClose}
        onGo={() => said && save.mutate(said)}
      >
        <p>
          {presentWords(contact.consents, 'marketing')}
          <br />
          {presentWords(contact.consents, 'all')}
        </p>
        <SegmentedControl
          fullWidth
          aria-label="What they said"
          data={(['opted_out', 'opted_in'] as const).map((value) => ({
            value,
            label: stateWords[value],
          }))}
          value={state ?? ''}
          onChange={(value) => value && setState(value)}
        />
        <SegmentedControl
          fullWidth
          aria-label="Of what"
          data={(['marketing', 'all'] as const).map((value) => ({
            value,
            label: scopeWords[value],
          }))}
          value={scope ?? ''}
          onChange={(value) => value && setScope(value)}
        />
        {said && <p className="secondary">{effects[said.state][said.scope]}</p>}
        {ended && <p style={{ overflowWrap: 'anywhere' }}>{ended}</p>}
        <Textarea
          label="Evidence"
          description="How you know, such as a call or a form. It is kept for good."
          autosize
          minRows={2}
          maxLength={evidenceMax}
          value={evidence}
          onChange={(event) => setEvidence(event.currentTarget.value)}
        />
      </DialogForm>
    </TypedModal>
  );
}
