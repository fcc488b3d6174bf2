import { Module, type OnModuleInit } from '@nestjs/common';
import { PeriodicWork } from '../database/periodic-work.js';
import { OutcomeCounts } from './outcome-counts.js';

/** The worker's side of outcomes: their hours. */
@Module({ providers: [OutcomeCounts] })
export class OutcomeHoursModule implements OnModuleInit {
  constructor(
    private readonly counts: OutcomeCounts,
    private readonly work: PeriodicWork,
  ) {}

  onModuleInit(): void {
    this.work.register('outcomes', 60, () => this.counts.keepHours());
  }
}
