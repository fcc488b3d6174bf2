import { phoneForms } from '../../../../libs/phone-numbers/phone-forms.ts';
import { newRecipientsLimits } from '../../api/limits/new-recipients.ts';
import type { CsvForm } from '../../files/csv-form.ts';
import { rowsOf } from '../../files/csv-rows.ts';
import { type LineProblem, type LineRules, type Recipient, readLine } from './recipient-lines.ts';

/** A file after a look at all its lines. */
export interface FileReport {
  /** Lines below the names of the columns, without empty ones. */
  readonly lines: number;
  readonly good: number;
  readonly errors: number;
  readonly leftOut: number;
  /** The first of them. */
  readonly problems: readonly LineProblem[];
  /** The first good lines, to be shown on the phone. */
  readonly samples: readonly { readonly line: number; readonly recipient: Recipient }[];
}

/** Recipients for one call, and where they come from. */
export interface Batch {
  readonly recipients: readonly Recipient[];
  /** The line of each. */
  readonly lines: readonly number[];
  /** What is uploaded with it. */
  readonly done: DoneLines;
}

/** What is uploaded of a file. */
export interface DoneLines {
  /** The last line; 0: none. */
  readonly line: number;
  /** Changes with any recipient until there. Memories of an older version have none. */
  readonly mark?: number | undefined;
}

export const noLines: DoneLines = { line: 0 };

/** FNV-1a, over any number of texts. */
const markStart = 0x811c9dc5;
function marked(before: number, text: string): number {
  let mark = before;
  for (let at = 0; at < text.length; at += 1) {
    mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193);
  }
  return mark;
}

const problemsMax = 1_000;
const samplesMax = 50;

const batchMax = newRecipientsLimits.recipients.maxItems;
/** The API takes 1 MiB in a call; a character is at most 3 bytes. */
const batchMaxCharacters = 300_000;

/** Reads a file line by line; nobody is in it twice. */
async function* judged(
  file: Blob,
  form: CsvForm,
  rules: LineRules,
): AsyncGenerator<{ line: number; read: Recipient | LineProblem }[]> {
  const seen = new Map<string, number>();
  for await (const rows of rowsOf(file, form)) {
    yield rows.map((row) => {
      const read = readLine(row, rules);
      if ('what' in read) return { line: row.line, read };
      const { to, to_user_id: userId = '' } = read;
      // WhatsApp knows some numbers in two forms; both are one person.
      const addresses = to === undefined ? [userId] : phoneForms(to);
      const first = addresses.map((each) => seen.get(each)).find((line) => line !== undefined);
      if (first === undefined) {
        seen.set(addresses[0] ?? '', row.line);
        return { line: row.line, read };
      }
      const index = rules.plan.recipient ?? 0;
      const problem: LineProblem = {
        line: row.line,
        column: rules.columns[index] ?? null,
        value: row.cells[index] ?? '',
        what: `Same person as line ${first}`,
        kind: 'left out',
        cells: row.cells,
      };
      return { line: row.line, read: problem };
    });
  }
}

/** Looks at all lines. @param onLines is told how many it has seen. */
export async function checkFile(
  file: Blob,
  form: CsvForm,
  rules: LineRules,
  onLines: (lines: number) => void,
): Promise<FileReport> {
  const problems: LineProblem[] = [];
  const samples: { line: number; recipient: Recipient }[] = [];
  let [lines, errors, leftOut] = [0, 0, 0];
  for await (const group of judged(file, form, rules)) {
    for (const { line, read } of group) {
      lines += 1;
      if (!('what' in read)) {
        if (samples.length < samplesMax) samples.push({ line, recipient: read });
        continue;
      }
      if (read.kind === 'error') errors += 1;
      else leftOut += 1;
      if (problems.length < problemsMax) problems.push(read);
    }
    onLines(lines);
  }
  return { lines, good: lines - errors - leftOut, errors, leftOut, problems, samples };
}

/**
 * The good lines that are not uploaded yet, in batches for the API.
 * @throws Error where what is uploaded is not in the file any more.
 */
export async function* batchesOf(
  file: Blob,
  form: CsvForm,
  rules: LineRules,
  done: DoneLines,
): AsyncGenerator<Batch> {
  let recipients: Recipient[] = [];
  let lines: number[] = [];
  let characters = 0;
  let mark = markStart;
  let isLookedAt = done.line === 0;
  const look = () => {
    if (!isLookedAt && done.mark !== undefined && done.mark !== mark) {
      throw new Error(
        `The lines until ${done.line.toLocaleString('en')} are not those that were uploaded: the file has changed. Start over to upload it as it is now.`,
      );
    }
    isLookedAt = true;
  };
  const batch = (): Batch => ({ recipients, lines, done: { line: lines.at(-1) ?? 0, mark } });
  for await (const group of judged(file, form, rules)) {
    for (const { line, read } of group) {
      if ('what' in read) continue;
      const text = JSON.stringify(read);
      if (line <= done.line) {
        mark = marked(mark, text);
        continue;
      }
      look();
      const { length } = text;
      const isFull = recipients.length === batchMax || characters + length > batchMaxCharacters;
      if (isFull && recipients.length > 0) {
        yield batch();
        [recipients, lines, characters] = [[], [], 0];
      }
      recipients.push(read);
      lines.push(line);
      mark = marked(mark, text);
      characters += length;
    }
  }
  look();
  if (recipients.length > 0) yield batch();
}
