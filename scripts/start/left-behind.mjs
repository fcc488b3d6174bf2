import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './console.mjs';
import { writePrivateFile } from './private-file.mjs';
import { isRunning, processIdentity, signalProcess } from './processes.mjs';
import { until } from './until.mjs';

/** How long a process may take to finish its work after its supervisor has gone. */
const finishWithinMs = 30_000;

/**
 * Remembers in the data folder which processes we started, so that the next start can wait for those
 * that outlived a killed supervisor.
 */
export class ProcessRecord {
  #path;
  #entries = new Map();

  constructor(dataDirectory) {
    this.#path = join(dataDirectory, 'processes.json');
  }

  add(name, pid) {
    this.#entries.set(name, { name, pid, identity: processIdentity(pid) });
    writePrivateFile(this.#path, `${JSON.stringify([...this.#entries.values()])}\n`);
  }

  clear() {
    rmSync(this.#path, { force: true });
  }

  /**
   * Waits for the processes of a killed supervisor, which began to stop when it died, and kills those
   * that hang. The watch over the database goes first: it would stop the database that we start.
   */
  async endLeftBehind(signal) {
    const running = readEntries(this.#path).filter(isRunning);
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

function readEntries(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
}
