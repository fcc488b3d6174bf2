import { Global, Module } from '@nestjs/common';
import { PeriodicWork } from './periodic-work.js';
import { Upkeep } from './upkeep.js';

/** Recurring work of the worker processes. */
@Global()
@Module({ providers: [PeriodicWork, Upkeep], exports: [PeriodicWork] })
export class PeriodicWorkModule {}
