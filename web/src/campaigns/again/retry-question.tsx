import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { amount, counted } from '../../parts/numbers.ts';
import {
  draftWords,
  hopefulOf,
  type Left,
  leftOutWords,
  type RetryRequest,
  retryOf,
  retryVerb,
} from './retry-choice.ts';

interface RetryFormProps {
  readonly left: Left;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onKeep: () => void;
  readonly onGo: (request: RetryRequest) => void;
}

/** Asks which of those who are left get a draft. */
export function RetryQuestion({
  isAsked,
  ...form
}: RetryFormProps & { readonly isAsked: boolean }) {
  const title = `${retryVerb(form.left) ?? 'Retry the failed'}?`;
  return (
    <Dialog opened={isAsked} onClose={form.onKeep} title={title}>
      {/* While it fades, its button is still there. */}
      <RetryForm {...form} onGo={(request) => isAsked && form.onGo(request)} />
    </Dialog>
  );
}

function RetryForm({ left, onGo, ...form }: RetryFormProps) {
  const { causes, rest } = left;
  const [chosen, setChosen] = useState(() => hopefulOf(causes));
  const [isRestChosen, setRestChosen] = useState(true);
  const { count, request } = retryOf({ causes, rest: isRestChosen ? rest : 0 }, chosen);
  const leftOut = leftOutWords(causes, chosen);
  return (
    <DialogForm
      {...form}
      go={count === 0 ? 'Make a draft' : `Make a draft of ${counted(count, 'recipient')}`}
      isReady={count > 0}
      onGo={() => onGo(request)}
    >
      <p>{draftWords(left)}</p>
      {causes.length > 0 && (
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
      )}
      {leftOut && <p aria-live="polite">{leftOut}</p>}
      {causes.length > 0 && rest > 0 && (
        <Checkbox
          checked={isRestChosen}
          onChange={(event) => setRestChosen(event.currentTarget.checked)}
          label={
            <>
              The rest, to whom it never sent: <b>{amount(rest)}</b>
            </>
          }
        />
      )}
    </DialogForm>
  );
}
