import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './console.js';
import { writePrivateFile } from './private-file.js';
import { isRunning, type ProcessRun, processIdentity, signalProcess } from './processes.js';
import { until } from './until.js';

interface NamedProcess extends ProcessRun {
  name: string;
}

/** How long a process may take to finish its work after its supervisor has gone. */
const finishWithinMs = 30_000;

/**
 * Remembers in the data folder which processes we started, so that the next start can wait for those
 * that outlived a killed supervisor.
 */
export class ProcessRecord {
  private readonly path: string;
  private readonly entries = new Map<string, NamedProcess>();

  constructor(dataDirectory: string) {
    this.path = join(dataDirectory, 'processes.json');
  }

  addProcess(name: string, pid: number): void {
    this.entries.set(name, { name, pid, identity: processIdentity(pid) });
    writePrivateFile(this.path, `${JSON.stringify([...this.entries.values()])}\n`);
  }

  clear(): void {
    rmSync(this.path, { force: true });
  }

  /**
   * Waits for the processes of a killed supervisor, which began to stop when it died, and kills those
   * that hang. The watch over the database goes first: it would stop the database that we start.
   */
  async endLeftBehind(signal: AbortSignal): Promise<void> {
    const running = readEntries(this.path).filter(isRunning);
    const guard = running.find(({ name }) => name === 'guard');
    if (guard) signalProcess(guard.pid, 'SIGKILL');
    const others = running.filter((entry) => entry !== guard);
    if (others.length > 0) {
      say(
        `Waiting for processes of the last run to end (${others.map(({ name }) => name).join(', ')}) …`,
      );
      const gone = () => !others.some(isRunning);
      await until(gone, { timeoutMs: finishWithinMs, signal });
      for (const entry of others.filter(isRunning)) signalProcess(entry.pid, 'SIGKILL');
      await until(gone, { timeoutMs: 5_000, signal });
    }
    this.clear();
  }
}

function readEntries(path: string): NamedProcess[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as NamedProcess[];
  } catch {
    return [];
  }
}
