import type { ServerProcess } from '../support/server-process.js';

const lookEveryMs = 100;

/** A balancer for several API processes: it sends to those that are ready, in turn. */
export class Balancer {
  private ready: readonly ServerProcess[];
  private readonly timer: NodeJS.Timeout;
  private turn = 0;
  private isLooking = false;

  constructor(private readonly apis: readonly ServerProcess[]) {
    this.ready = apis;
    this.timer = setInterval(() => void this.look(), lookEveryMs);
  }

  /** Where the next request goes; a retry goes to another process, if there is one. */
  next(elsewhereThan?: string): string {
    const ready = this.ready.length > 0 ? this.ready : this.apis;
    const others = elsewhereThan ? this.apis.filter(({ url }) => url !== elsewhereThan) : ready;
    this.turn += 1;
    return others[this.turn % others.length]?.url ?? '';
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const healths = await Promise.all(this.apis.map((api) => api.health('ready')));
    this.ready = this.apis.filter((_, index) => healths[index] === 200);
    this.isLooking = false;
  }
}
