import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { UsageError } from './failures.js';

/** A file with the cursor from which reading goes on. */
export class CursorFile {
  constructor(private readonly path: string) {}

  /** @throws UsageError */
  read(): string | undefined {
    try {
      return readFileSync(this.path, 'utf8').trim() || undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw new UsageError(`cannot read the cursor file: ${(error as Error).message}`);
    }
  }

  /**
   * A program that reads the file at that moment, or after a crash, finds the old cursor or the new one.
   * @throws UsageError
   */
  write(cursor: string): void {
    const draft = `${this.path}.${process.pid}.tmp`;
    try {
      writeFileSync(draft, `${cursor}\n`);
      renameSync(draft, this.path);
    } catch (error) {
      throw new UsageError(`cannot write the cursor file: ${(error as Error).message}`);
    }
  }
}
