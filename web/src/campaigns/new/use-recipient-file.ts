import { useEffect, useState } from 'react';
import type { CsvForm, FormChoice } from '../../files/csv-form.ts';
import { FileReaderThread } from './file-reader.ts';
import { type DoneLines, type FileReport, noLines } from './recipient-file.ts';
import { type ColumnPlan, planFault, plannedColumns, type Variable } from './recipient-lines.ts';
import { isSameFile, type UploadMemory } from './upload-memory.ts';

/** A file that somebody has chosen, and how it is written. */
export interface ChosenFile {
  readonly file: File;
  readonly form: CsvForm;
  readonly plan: ColumnPlan;
  /** What of it is uploaded already. */
  readonly done: DoneLines;
  /** How many recipients were uploaded until there. */
  readonly uploaded: number;
  /** The upload that has not come to its end, where the file is another one or has changed since. */
  readonly instead: UploadMemory | null;
}

/** The state of the page's file. */
export interface RecipientFile {
  readonly chosen: ChosenFile | null;
  readonly fault: string | null;
  /** Null until all lines are looked at. */
  readonly report: FileReport | null;
  /** How many lines are looked at. */
  readonly seen: number;
  readonly choose: (file: File | null) => void;
  readonly setPlan: (plan: ColumnPlan) => void;
  /** Reads the file in another way. */
  readonly setForm: (choice: FormChoice) => void;
}

const fileMaxBytes = 200 * 1024 * 1024;

/** The file of recipients: opened, its columns found, its lines looked at again with each change of the plan. */
export function useRecipientFile(
  variables: readonly Variable[],
  recall: () => UploadMemory | null,
): RecipientFile {
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [checked, setChecked] = useState<{ of: ColumnPlan; report: FileReport } | null>(null);
  const [seen, setSeen] = useState(0);

  const choose = async (file: File | null) => {
    setChosen(null);
    setChecked(null);
    setFault(null);
    if (file === null) return;
    const memory = recall();
    const known = memory && isSameFile(memory, file) ? memory : null;
    const opened = await open(file, known?.form ?? {});
    if ('fault' in opened) return setFault(opened.fault);
    const { form } = opened;
    setChosen({
      file,
      form,
      plan: known?.plan ?? plannedColumns(form.columns, variables),
      done: known ? { line: known.line, mark: known.mark } : noLines,
      uploaded: known?.uploaded ?? 0,
      instead: known || !memory || memory.isDone ? null : memory,
    });
  };

  const setForm = async (choice: FormChoice) => {
    if (!chosen) return;
    const { encoding, delimiter } = chosen.form;
    const opened = await open(chosen.file, { encoding, delimiter, ...choice });
    if ('fault' in opened) return setFault(opened.fault);
    const { form } = opened;
    setFault(null);
    const { hasBareCodes } = chosen.plan;
    setChosen({
      ...chosen,
      form,
      plan: { ...plannedColumns(form.columns, variables), hasBareCodes },
    });
  };

  const { file, form, plan } = chosen ?? {};
  useEffect(() => {
    if (!file || !form || !plan || planFault(plan, variables) !== null) return;
    const thread = new FileReaderThread(file);
    setSeen(0);
    thread.check(form, { columns: form.columns, variables, plan }, setSeen).then(
      (report) => setChecked({ of: plan, report }),
      (error: Error) => setFault(error.message),
    );
    return () => thread.close();
  }, [file, form, plan, variables]);

  return {
    chosen,
    fault,
    report: checked !== null && checked.of === plan ? checked.report : null,
    seen,
    choose: (next) => void choose(next),
    setForm: (next) => void setForm(next),
    setPlan: (next) => chosen && setChosen({ ...chosen, plan: next }),
  };
}

async function open(
  file: File,
  choice: FormChoice,
): Promise<{ form: CsvForm } | { fault: string }> {
  if (file.size === 0) return { fault: 'The file is empty.' };
  if (file.size > fileMaxBytes) return { fault: 'The file is larger than 200 MB. Split it.' };
  const thread = new FileReaderThread(file);
  try {
    const form = await thread.form(choice);
    if (form.columns.length > 0) return { form };
    return { fault: 'The first line names no columns.' };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  } finally {
    thread.close();
  }
}
