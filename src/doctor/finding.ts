/** What a check found: `warn` is worth a thought, `fail` keeps the installation from working. */
export interface Finding {
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly subject: string;
  /** What was found, and what to do if it is wrong. */
  readonly text: string;
}

/** Findings about one subject. */
export class Findings {
  readonly list: Finding[] = [];

  constructor(private readonly subject: string) {}

  ok(text: string): void {
    this.list.push({ verdict: 'ok', subject: this.subject, text });
  }

  warn(text: string): void {
    this.list.push({ verdict: 'warn', subject: this.subject, text });
  }

  fail(text: string): void {
    this.list.push({ verdict: 'fail', subject: this.subject, text });
  }
}

/** What an error says in one line, without addresses that hold passwords. */
export function reasonOf(error: unknown): string {
  const [cause] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const text = cause instanceof Error ? cause.message : String(cause);
  return (text.split('\n')[0] ?? '').replaceAll(/\/\/[^@\s/]*@/g, '//…@');
}
