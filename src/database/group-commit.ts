import { BatchWindow } from './batch-window.js';
import { isDataError, isDeadlock } from './store-errors.js';

interface Member<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/** How a group is written. */
export interface GroupCommitOptions<T, R> {
  /**
   * Writes a whole group in one statement and returns one result for each item, in the order of
   * the items. It must be all or nothing.
   */
  readonly commit: (items: readonly T[]) => Promise<readonly R[]>;
  /** The most items in one group. */
  readonly maxSize: number;
  /** False where a group costs little: then none ever waits for more members. Default true. */
  readonly gathers?: boolean;
}

/**
 * Lets callers that arrive while a write is in flight share the next one. A lone caller waits for
 * nothing: the first item of a quiet moment is written at once. While many are active, a group gathers
 * for a moment, see `BatchWindow`.
 *
 * A row that the store refuses does not fail its group: when the store refuses the data of a statement, the
 * members run again one by one, and only the bad one fails. A deadlock is tried again once.
 */
export class GroupCommit<T, R> {
  private readonly waiting: Member<T, R>[] = [];
  private readonly window = new BatchWindow();
  /** A group is being gathered or written. */
  private isBusy = false;

  constructor(private readonly options: GroupCommitOptions<T, R>) {}

  /** Resolves when the group that holds the item is written; rejects with the store's error. */
  enqueue(item: T): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      // The microtask lets everything that arrived in the same turn of the loop be in this group.
      if (!this.isBusy) queueMicrotask(() => this.pump());
    });
  }

  /** Items that wait for a group; for metrics and shutdown. */
  get size(): number {
    return this.waiting.length;
  }

  private pump(): void {
    if (this.isBusy || this.waiting.length === 0) return;
    this.isBusy = true;
    const isFull = this.waiting.length >= this.options.maxSize;
    const write = () => void this.writeNext();
    if (this.options.gathers === false || isFull) write();
    else this.window.gather(() => this.waiting.length, write);
  }

  private async writeNext(): Promise<void> {
    const group = this.waiting.splice(0, this.options.maxSize);
    await this.window.keep(group.length, () => this.write(group));
    this.isBusy = false;
    this.pump();
  }

  /** Never rejects: each member gets its own result. */
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
