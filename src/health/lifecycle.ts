import { type BeforeApplicationShutdown, Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Whether this process is on its way out; readiness says so from the first moment. */
@Injectable()
export class Lifecycle implements OnModuleDestroy, BeforeApplicationShutdown {
  isStopping = false;

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }
}
