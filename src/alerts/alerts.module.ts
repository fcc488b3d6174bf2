import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';

/** The API's side of alerts: lists and dismisses them. */
@Module({
  imports: [AuditModule],
  controllers: [AlertsController],
  providers: [AlertsService],
  exports: [AlertsService],
})
export class AlertsModule {}
