import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { CampaignRetries } from '../../api/types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { amount, counted } from '../../parts/numbers.ts';
import { causesOf, hopefulOf, leftOutWords, type RetryOfCauses, retryOf } from './retry-choice.ts';

interface RetryFormProps {
  readonly failedByCode: CampaignRetries['failed_by_code'];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onKeep: () => void;
  readonly onGo: (request: RetryOfCauses) => void;
}

/** Asks which of the failed are tried again. */
export function RetryQuestion({
  isAsked,
  ...form
}: RetryFormProps & { readonly isAsked: boolean }) {
  return (
    <Dialog opened={isAsked} onClose={form.onKeep} title="Retry the failed?">
      {/* While it fades, its button is still there. */}
      <RetryForm {...form} onGo={(request) => isAsked && form.onGo(request)} />
    </Dialog>
  );
}

function RetryForm({ failedByCode, onGo, ...form }: RetryFormProps) {
  const causes = causesOf(failedByCode);
  const [chosen, setChosen] = useState(() => hopefulOf(causes));
  const { count, request } = retryOf(causes, chosen);
  const leftOut = leftOutWords(causes, chosen);
  return (
    <DialogForm
      {...form}
      go={count === 0 ? 'Make a draft' : `Make a draft of ${counted(count, 'recipient')}`}
      isReady={count > 0}
      onGo={() => onGo(request)}
    >
      <p>This makes a draft of those whose message failed. Nothing is sent before you start it.</p>
      <Checkbox.Group label="Who failed with" value={chosen} onChange={setChosen}>
        <div className="retry-causes">
          {causes.map(({ code, count: failed, meaning, advice }) => (
            <Checkbox
              key={code}
              value={code}
              label={
                <>
                  <code>{code}</code> {meaning}: <b>{amount(failed)}</b>
                </>
              }
              description={advice}
            />
          ))}
        </div>
      </Checkbox.Group>
      {leftOut && <p aria-live="polite">{leftOut}</p>}
    </DialogForm>
  );
}
