const minuteNow = () => Math.floor(Date.now() / 60_000);

/**
 * A test of counters that start anew each minute. If the minute ends while it runs, it runs again, so it
 * must use keys of its own in each run.
 */
export function withinOneMinute(work: () => Promise<void>): () => Promise<void> {
  return async () => {
    for (;;) {
      const minute = minuteNow();
      try {
        await work();
        if (minuteNow() === minute) return;
      } catch (error) {
        if (minuteNow() === minute) throw error;
      }
    }
  };
}
