import { Button } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { useGuardedMutation } from '../parts/mutation.ts';
import { counted } from '../parts/numbers.ts';

interface BulkButtonProps<Row> {
  readonly icon: Icon;
  /** What the button says, and what has been done: `Send again`, `sent again`. */
  readonly verb: string;
  readonly done: string;
  /** What a row is: `message`. */
  readonly noun: string;
  readonly rows: readonly Row[];
  /** Why it cannot be done where there are no rows. */
  readonly whyNot: string;
  readonly run: (row: Row) => Promise<unknown>;
  readonly onEnd: () => void;
  /** What happens, and what stays. */
  readonly children: ReactNode;
}

interface Progress {
  readonly succeeded: number;
  /** What was refused, and how often. */
  readonly refused: ReadonlyMap<string, number>;
}

const nothing: Progress = { succeeded: 0, refused: new Map() };

/** Does the same with several rows, one after the other, and says what came of it. */
export function BulkButton<Row>(props: BulkButtonProps<Row>) {
  const { icon: Sign, verb, done, noun, rows, whyNot, run, onEnd, children } = props;
  // The rows as they were when it began: the list below goes on changing.
  const [asked, setAsked] = useState<readonly Row[] | null>(null);
  const [progress, setProgress] = useState(nothing);
  const all = useGuardedMutation({
    mutationFn: async (chosen: readonly Row[]) => {
      let now = nothing;
      for (const row of chosen) {
        // One after the other, so that a mistake can be stopped by leaving the page.
        // oxlint-disable-next-line no-await-in-loop
        const error = await run(row).then(
          () => null,
          (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
        );
        now =
          error === null
            ? { ...now, succeeded: now.succeeded + 1 }
            : {
                ...now,
                refused: new Map([...now.refused, [error, (now.refused.get(error) ?? 0) + 1]]),
              };
        setProgress(now);
      }
    },
  });
  const close = () => {
    if (all.isPending) return;
    setAsked(null);
    if (all.isSuccess) onEnd();
    all.reset();
    setProgress(nothing);
  };
  const count = asked?.length ?? 0;
  const ended = progress.succeeded + [...progress.refused.values()].reduce((a, b) => a + b, 0);
  return (
    <>
      {rows.length === 0 && <span className="small">{whyNot}</span>}
      <Button
        leftSection={<Sign size={16} />}
        disabled={rows.length === 0}
        onClick={() => setAsked(rows)}
      >
        {verb} {rows.length > 0 && rows.length}…
      </Button>
      <Dialog
        opened={asked !== null}
        onClose={close}
        title={`${verb}: ${counted(count, noun)}`}
        withCloseButton={!all.isPending}
      >
        {all.isSuccess ? (
          <div className="stack" role="status">
            <p>
              {progress.succeeded} of {counted(count, noun)} {done}.
            </p>
            {[...progress.refused].map(([why, times]) => (
              <p key={why} className="wrong">
                {times} refused: {why}
              </p>
            ))}
            <div className="row question-buttons">
              <Button data-autofocus variant="filled" onClick={close}>
                Done
              </Button>
            </div>
          </div>
        ) : (
          <DialogForm
            go={all.isPending ? `${ended} of ${count}` : verb}
            isPending={all.isPending}
            isHeld={all.isPending}
            onKeep={close}
            onGo={() => asked && all.mutate(asked)}
          >
            {children}
            {all.isPending && (
              <p role="status">
                {ended} of {count} …
              </p>
            )}
          </DialogForm>
        )}
      </Dialog>
    </>
  );
}
