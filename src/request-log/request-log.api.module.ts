import { Module } from '@nestjs/common';
import { RequestBodies } from './request-bodies.js';
import { RequestLogController } from './request-log.controller.js';
import { RequestLogService } from './request-log.service.js';
import { RequestReads } from './request-reads.js';
import { RequestRecording } from './request-recording.js';
import { RequestRows } from './request-rows.js';
import { RequestWriter } from './request-writer.js';

/** The API's side of the request log: records requests, and lists them. */
@Module({
  controllers: [RequestLogController],
  providers: [
    RequestBodies,
    RequestLogService,
    RequestReads,
    RequestRecording,
    RequestRows,
    RequestWriter,
  ],
  exports: [RequestReads],
})
export class RequestLogModule {}
