import { Module } from '@nestjs/common';
import { PlatformModule } from '../../platform/platform.module.js';
import { HealthWatch } from './health-watch.js';

/** The worker's side of accounts: the health of their numbers. */
@Module({ imports: [PlatformModule], providers: [HealthWatch] })
export class NumberHealthModule {}
