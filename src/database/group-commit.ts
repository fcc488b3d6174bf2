import { isDataError, isDeadlock } from './store-errors.js';

interface Member<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** A group of this size says that many callers are about; the next one may gather for a moment. */
export const busySize = 8;

/** How long a group gathers after a busy one, in milliseconds, unless told otherwise. */
export const defaultGatherMs = 2;

/** How a group is written. */
export interface GroupCommitOptions<T, R> {
  /**
   * Writes a whole group in one statement and returns one result for each item, in the order of
   * the items. It must be all or nothing.
   */
  readonly commit: (items: readonly T[]) => Promise<readonly R[]>;
  /** The most items in one group. */
  readonly maxSize: number;
  /** How many groups may be in flight at once. */
  readonly concurrency?: number;
  /** How long a group gathers after a busy one, in milliseconds; 0 where a group costs little. */
  readonly gatherMs?: number;
}

/**
 * Lets callers that arrive while a write is in flight share the next one. A lone caller waits for
 * nobody: the first item of a quiet moment is written at once. After a busy group the next one
 * gathers for two milliseconds: a statement costs about as much as thirty of its rows, in the
 * database and in every process behind it.
 *
 * One bad row does not spoil its group: when the store refuses the data of a statement, the
 * members run again one by one, and only the bad one fails. A deadlock is tried again once.
 */
export class GroupCommit<T, R> {
  private readonly waiting: Member<T, R>[] = [];
  private readonly concurrency: number;
  private readonly gatherMs: number;
  private inFlight = 0;

  constructor(private readonly options: GroupCommitOptions<T, R>) {
    this.concurrency = options.concurrency ?? 1;
    this.gatherMs = options.gatherMs ?? defaultGatherMs;
  }

  /** Resolves when the group that holds the item is written; rejects with the store's error. */
  add(item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      // The microtask lets everything that arrived in the same turn of the loop be in this group.
      if (this.inFlight < this.concurrency) queueMicrotask(() => this.pump());
    });
  }

  /** Items that wait for a group; for metrics and shutdown. */
  get size(): number {
    return this.waiting.length;
  }

  private pump(): void {
    while (this.inFlight < this.concurrency && this.waiting.length > 0) {
      const group = this.waiting.splice(0, this.options.maxSize);
      this.inFlight += 1;
      void this.write(group).finally(() => {
        if (group.length < busySize || this.gatherMs === 0) this.next();
        else setTimeout(() => this.next(), this.gatherMs);
      });
    }
  }

  private next(): void {
    this.inFlight -= 1;
    this.pump();
  }

  private async write(group: Member<T, R>[], isRetry = false): Promise<void> {
    try {
      const results = await this.options.commit(group.map((member) => member.item));
      if (results.length !== group.length) {
        throw new Error(`a group of ${group.length} was answered by ${results.length} results`);
      }
      group.forEach((member, index) => member.resolve(results[index] as R));
    } catch (error) {
      if (isDeadlock(error) && !isRetry) return this.write(group, true);
      if (isDataError(error) && group.length > 1) {
        for (const member of group) await this.write([member]);
        return;
      }
      for (const member of group) member.reject(error);
    }
  }
}
