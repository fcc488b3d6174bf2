import { useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import type { AddedRecipients } from '../../api/types.ts';
import { FileReaderThread } from './file-reader.ts';
import type { Batch, DoneLines } from './recipient-file.ts';
import type { LineProblem, LineRules, Variable } from './recipient-lines.ts';
import { rememberUpload } from './upload-memory.ts';
import type { ChosenFile } from './use-recipient-file.ts';

/** How far an upload is. */
export interface Upload {
  readonly state: 'running' | 'stopped' | 'failed' | 'done';
  /** Recipients of the file that were handed over, also those of an earlier visit. */
  readonly uploaded: number;
  readonly done: DoneLines;
  /** Recipients a second, in this visit. */
  readonly rate: number;
  /** People whom the campaign had already. */
  readonly duplicates: number;
  /** What Parley refused. */
  readonly problems: readonly LineProblem[];
  readonly error: Error | null;
}

/** Uploads a file to a draft, call by call. */
export function useUpload(campaignId: string, variables: readonly Variable[], onEnd: () => void) {
  const [upload, setUpload] = useState<Upload | null>(null);
  const isStopped = useRef(false);

  const start = async ({ file, form, plan, done, uploaded: before }: ChosenFile) => {
    isStopped.current = false;
    const rules: LineRules = { columns: form.columns, variables, plan };
    const from = upload?.done ?? done;
    const since = performance.now();
    let now: Upload = {
      state: 'running',
      uploaded: upload?.uploaded ?? before,
      done: from,
      rate: 0,
      duplicates: upload?.duplicates ?? 0,
      problems: upload?.problems ?? [],
      error: null,
    };
    const show = (change: Partial<Upload>) => {
      now = { ...now, ...change };
      setUpload(now);
    };
    const remember = (isDone: boolean) =>
      rememberUpload(campaignId, {
        name: file.name,
        size: file.size,
        modified: file.lastModified,
        plan,
        form: { encoding: form.encoding, delimiter: form.delimiter },
        ...now.done,
        uploaded: now.uploaded,
        isDone,
      });
    show({});
    const thread = new FileReaderThread(file);
    let count = 0;
    try {
      for await (const batch of thread.batches(form, rules, from)) {
        if (isStopped.current) return show({ state: 'stopped' });
        const { data } = await call(
          'POST',
          '/campaigns/{id}/recipients',
          { id: campaignId },
          { recipients: batch.recipients.map((one) => ({ ...one })) },
        );
        count += batch.recipients.length;
        show({
          uploaded: now.uploaded + batch.recipients.length,
          done: batch.done,
          rate: count / ((performance.now() - since) / 1_000),
          duplicates: now.duplicates + data.duplicates,
          problems: [...now.problems, ...refusedLines(data, batch, rules)],
        });
        remember(false);
      }
      remember(true);
      show({ state: 'done' });
    } catch (error) {
      show({ state: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    } finally {
      thread.close();
      onEnd();
    }
  };

  return {
    upload,
    start: (chosen: ChosenFile) => void start(chosen),
    /** After the call that is on its way. */
    stop: () => {
      isStopped.current = true;
    },
    reset: () => setUpload(null),
  };
}

/** What the API says is wrong, by the lines of the file. */
function refusedLines(
  { invalid }: AddedRecipients,
  { recipients, lines }: Batch,
  { columns, plan }: LineRules,
): LineProblem[] {
  return invalid.flatMap(({ index, fields }) =>
    Object.entries(fields).map(([field, fault]): LineProblem => {
      const { to, to_user_id: userId, variables = {}, reference = '' } = recipients[index] ?? {};
      const name = field.startsWith('variables.') ? field.slice('variables.'.length) : null;
      const column = name === null ? plan.recipient : (plan.variables[name] ?? null);
      const cells = columns.map(() => '');
      const put = (at: number | null, value: string) => {
        if (at !== null) cells[at] = value;
      };
      put(plan.recipient, to ?? userId ?? '');
      put(plan.reference, reference);
      for (const [each, value] of Object.entries(variables)) {
        put(plan.variables[each] ?? null, value);
      }
      return {
        line: lines[index] ?? 0,
        column: column === null ? null : (columns[column] ?? null),
        value: column === null ? '' : (cells[column] ?? ''),
        what: fault.charAt(0).toUpperCase() + fault.slice(1),
        kind: 'error',
        cells,
      };
    }),
  );
}
