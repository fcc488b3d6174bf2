import { type CsvForm, type FormChoice, formOf } from '../../files/csv-form.ts';
import { type Batch, batchesOf, checkFile, type DoneLines } from './recipient-file.ts';
import type { LineRules } from './recipient-lines.ts';

/** What the page asks of the thread that reads its file. */
export type FileRequest =
  | { readonly kind: 'form'; readonly file: File; readonly choice: FormChoice }
  | {
      readonly kind: 'check';
      readonly file: File;
      readonly form: CsvForm;
      readonly rules: LineRules;
    }
  | {
      readonly kind: 'read';
      readonly file: File;
      readonly form: CsvForm;
      readonly rules: LineRules;
      readonly done: DoneLines;
    }
  | { readonly kind: 'next' };

/** Its answer to the request of a number. A check says how far it is before it answers. */
export type FileAnswer = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly fault: string }
  | { readonly lines: number }
);

let batches: AsyncGenerator<Batch> | null = null;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const answer = (message: FileAnswer) => self.postMessage(message);

async function handle(id: number, request: FileRequest): Promise<unknown> {
  switch (request.kind) {
    case 'form':
      return formOf(request.file, request.choice);
    case 'check':
      return checkFile(request.file, request.form, request.rules, (lines) => answer({ id, lines }));
    case 'read':
      batches = batchesOf(request.file, request.form, request.rules, request.done);
      return null;
    case 'next':
      return (await batches?.next())?.value ?? null;
  }
}

function onRequest({ data }: MessageEvent<{ id: number; request: FileRequest }>): void {
  handle(data.id, data.request).then(
    (result) => answer({ id: data.id, result }),
    (error: unknown) =>
      answer({ id: data.id, fault: error instanceof Error ? error.message : String(error) }),
  );
}

self.addEventListener('message', onRequest);
