import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { minuteMs } from '#libs/durations';
import { validationError } from '../../errors/app-error.js';

/** How slowly a body may come in. */
export interface Patience {
  /** The whole body, in milliseconds. */
  readonly maxMs: number;
  /** How long a body may be slow at its beginning, in milliseconds. */
  readonly graceMs: number;
  readonly minBytesPerSecond: number;
}

/** 64 KiB a second brings 100 MB in under half an hour, so ten minutes are what ends a steady one. */
const patience: Patience = { maxMs: 10 * minuteMs, graceMs: 10_000, minBytesPerSecond: 64 * 1_024 };

/** A body that its route reads while it comes in; nothing of it is kept. */
export class StreamedBody {
  constructor(
    private readonly message: IncomingMessage,
    private readonly maxBytes: number,
    private readonly limits: Patience = patience,
  ) {}

  /** As sent, or an empty string. */
  get contentType(): string {
    return this.message.headers['content-type'] ?? '';
  }

  /**
   * The bytes, as they come. Time that the reader takes does not count against the sender.
   * @param onEnd hears the SHA-256 of the whole body, in hex.
   * @throws AppError VALIDATION_ERROR for a body that is too large, too slow or breaks off
   */
  async *read(onEnd?: (sha256: string) => void): AsyncGenerator<Buffer, void, undefined> {
    const hash = onEnd ? createHash('sha256') : null;
    const beganAt = performance.now();
    let received = 0;
    let waitedMs = 0;
    // Leaving the loop must not close the connection: the answer still has to go out on it.
    const chunks = this.message.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const asksAt = performance.now();
        const { maxMs, graceMs, minBytesPerSecond } = this.limits;
        const mayWaitMs = Math.min(
          graceMs + (received / minBytesPerSecond) * 1_000 - waitedMs,
          maxMs - (asksAt - beganAt),
        );
        const next = await within(mayWaitMs, chunks.next() as Promise<IteratorResult<Buffer>>);
        if (next.done === true) break;
        waitedMs += performance.now() - asksAt;
        received += next.value.length;
        if (received > this.maxBytes) {
          throw refused(`must be at most ${Math.floor(this.maxBytes / 1_048_576)} MB`);
        }
        hash?.update(next.value);
        yield next.value;
      }
    } finally {
      // What is left is dropped, or the client would never read the answer.
      void chunks.return?.().then(() => this.message.resume());
    }
    if (!this.message.complete) throw refused('broke off');
    if (hash) onEnd?.(hash.digest('hex'));
  }
}

/** @throws AppError VALIDATION_ERROR where it takes longer, or the connection is lost. */
async function within<T>(ms: number, next: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(refused('came in too slowly')), Math.max(0, ms));
  });
  try {
    return await Promise.race([next.catch(() => Promise.reject(refused('broke off'))), late]);
  } finally {
    clearTimeout(timer);
  }
}

const refused = (fault: string) => validationError({ body: fault });
