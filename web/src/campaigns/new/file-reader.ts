import type { CsvForm, FormChoice } from '../../files/csv-form.ts';
import type { FileAnswer, FileRequest } from './file-worker.ts';
import type { Batch, DoneLines, FileReport } from './recipient-file.ts';
import type { LineRules } from './recipient-lines.ts';

interface Asked {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onLines?: ((lines: number) => void) | undefined;
}

/** Reads a file in a thread of its own, so that the page stays quick however long the file is. */
export class FileReaderThread {
  private readonly worker = new Worker(new URL('./file-worker.ts', import.meta.url), {
    type: 'module',
  });
  private readonly asked = new Map<number, Asked>();
  private count = 0;

  constructor(private readonly file: File) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<FileAnswer>) =>
      this.onAnswer(data),
    );
    this.worker.addEventListener('error', () =>
      this.end('The browser could not start the reader of the file.'),
    );
  }

  /** How the file is written, apart from what somebody has chosen. */
  form(choice: FormChoice): Promise<CsvForm> {
    return this.ask<CsvForm>({ kind: 'form', file: this.file, choice });
  }

  /** Looks at all lines. */
  check(form: CsvForm, rules: LineRules, onLines: (lines: number) => void): Promise<FileReport> {
    return this.ask<FileReport>({ kind: 'check', file: this.file, form, rules }, onLines);
  }

  /** The good lines that are not uploaded yet, in batches; each is read when it is asked for. */
  async *batches(form: CsvForm, rules: LineRules, done: DoneLines): AsyncGenerator<Batch> {
    await this.ask({ kind: 'read', file: this.file, form, rules, done });
    for (;;) {
      const batch = await this.ask<Batch | null>({ kind: 'next' });
      if (batch === null) return;
      yield batch;
    }
  }

  /** Ends the thread. What it was asked for never comes. */
  close(): void {
    this.worker.terminate();
    this.asked.clear();
  }

  private ask<Result>(request: FileRequest, onLines?: (lines: number) => void): Promise<Result> {
    this.count += 1;
    const id = this.count;
    return new Promise<unknown>((resolve, reject) => {
      this.asked.set(id, { resolve, reject, onLines });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.worker.postMessage({ id, request });
    }) as Promise<Result>;
  }

  private onAnswer(answer: FileAnswer): void {
    const asked = this.asked.get(answer.id);
    if (!asked) return;
    if ('lines' in answer) return asked.onLines?.(answer.lines);
    this.asked.delete(answer.id);
    if ('fault' in answer) asked.reject(new Error(answer.fault));
    else asked.resolve(answer.result);
  }

  private end(message: string): void {
    for (const { reject } of this.asked.values()) reject(new Error(message));
    this.asked.clear();
  }
}
