import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { WebhookDeliveriesModule } from '../deliveries/deliveries.api.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { JobRunner } from './job-runner.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';

/** What people do to everything that matches a filter. */
@Module({
  imports: [AuditModule, MessagesModule, WebhookDeliveriesModule],
  controllers: [JobsController],
  providers: [JobRunner, JobsService],
})
export class JobsModule {}
