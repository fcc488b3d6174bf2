import { Module } from '@nestjs/common';
import { EndpointRecords } from './endpoint-records.js';

/** Where events go. */
@Module({ providers: [EndpointRecords], exports: [EndpointRecords] })
export class EndpointsModule {}
