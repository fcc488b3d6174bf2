import { dayMs } from '#libs/durations';

const keysMax = 50_000;
const keptMs = dayMs;

/** What this process has seen stored, for a day; what is forgotten here is looked up again. */
export class RecentKeys {
  private readonly keys = new Set<string>();
  private sinceMs = performance.now();

  has(key: string): boolean {
    const nowMs = performance.now();
    if (nowMs - this.sinceMs > keptMs) {
      this.keys.clear();
      this.sinceMs = nowMs;
    }
    return this.keys.has(key);
  }

  /** Forgets the oldest one if there are too many. */
  add(key: string): void {
    this.keys.add(key);
    for (const oldest of this.keys) {
      if (this.keys.size <= keysMax) break;
      this.keys.delete(oldest);
    }
  }
}
