import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { codeOf } from './console.js';

/** One process, told apart from later ones with its pid. */
export interface ProcessRun {
  pid: number;
  identity: string | null;
}

const hasProc = existsSync('/proc/self/stat');

/**
 * Distinguishes one process with a pid from the next: pids are used again, in containers within seconds.
 *
 * @returns a text that is unique among all processes since boot, or null when no such process runs.
 */
export function processIdentity(pid: number): string | null {
  if (!hasProc) return identityFromPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold spaces; what follows it is fields 3 (state) to 52.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startedAtTicks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' ? null : `${bootId()}/${pid}/${startedAtTicks}`;
  } catch {
    return null;
  }
}

/** Whether the process that had this pid and identity still runs. */
export function isRunning({ pid, identity }: ProcessRun): boolean {
  return identity !== null && processIdentity(pid) === identity;
}

/** Sends a signal; a process that has gone already is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/**
 * The processes of one program whose working folder is `directory`. PostgreSQL's processes all
 * work in their data folder, also those whose parent was killed.
 *
 * @returns their pids; empty where there is no /proc (macOS).
 */
export function findProcessesIn(directory: string, program: string): number[] {
  if (!hasProc) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === directory &&
          basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '')) === program &&
          processIdentity(pid) !== null
        );
      } catch {
        return false;
      }
    });
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

function identityFromPs(pid: number): string | null {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { stdio: 'pipe' });
    return `${pid}/${started.toString().trim()}`;
  } catch {
    return null;
  }
}
