import { destination } from 'pino';

/** Lines are written together: one system call for each would cost more than making the line. */
const writeAtLength = 4_096;
const flushEveryMs = 250;

/**
 * The standard output of a process, for its log. The lines gather here and not in pino's own
 * destination, which reads everything it holds again at every line: that took more memory than a
 * request.
 */
export class LogLines {
  // Without a minimum length it would not report when everything is written.
  private readonly output = destination({ fd: 1, sync: false, minLength: 1 });
  private gathered = '';

  constructor() {
    setInterval(() => this.pass(), flushEveryMs).unref();
    process.on('exit', () => {
      this.output.flushSync();
      // A write that the other one began now would stay unfinished.
      destination({ fd: 1, sync: true }).write(this.gathered);
    });
  }

  write(line: string): void {
    this.gathered += line;
    if (this.gathered.length >= writeAtLength) this.pass();
  }

  /** Resolves when everything is written, or when nobody reads it any more. */
  flush(): Promise<void> {
    this.pass();
    return new Promise((flushed) => this.output.flush(() => flushed()));
  }

  private pass(): void {
    if (this.gathered === '') return;
    this.output.write(this.gathered);
    this.gathered = '';
  }
}
