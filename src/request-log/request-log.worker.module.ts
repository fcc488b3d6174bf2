import { Module } from '@nestjs/common';
import { RequestRows } from './request-rows.js';
import { RequestUpkeep } from './request-upkeep.js';

/** The worker's side of the request log: its days. */
@Module({ providers: [RequestRows, RequestUpkeep] })
export class RequestDaysModule {}
