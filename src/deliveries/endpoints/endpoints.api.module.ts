import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { AuditModule } from '../../audit/audit.module.js';
import { EndpointsModule } from '../../endpoints/endpoints.module.js';
import { RepeatedRequests } from '../../idempotency/repeated-requests.js';
import { WebhookAdministrationModule } from '../deliveries.api.module.js';
import { EndpointAdministrationController } from './endpoint-administration.controller.js';
import { EndpointHealthController } from './endpoint-health.controller.js';
import { EndpointHealthList } from './endpoint-health.service.js';
import { EndpointSettings } from './endpoint-settings.service.js';
import { EndpointsController } from './endpoints.controller.js';

/** Managing endpoints, for their keys and for the dashboard. */
@Module({
  imports: [ApiKeysModule, AuditModule, EndpointsModule, WebhookAdministrationModule],
  controllers: [EndpointsController, EndpointAdministrationController, EndpointHealthController],
  providers: [EndpointHealthList, EndpointSettings, RepeatedRequests],
})
export class WebhookEndpointsModule {}
