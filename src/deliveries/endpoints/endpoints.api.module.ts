import { Module } from '@nestjs/common';
import { AccountVersions } from '../../accounts/account-versions.js';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { AuditModule } from '../../audit/audit.module.js';
import { EndpointsModule } from '../../endpoints/endpoints.module.js';
import { RepeatedRequests } from '../../idempotency/repeated-requests.js';
import { QuotaModule } from '../../quota/quota.module.js';
import { WebhookClient } from '../attempts/webhook-client.js';
import { WebhookDeliveriesModule } from '../deliveries.api.module.js';
import { EndpointHandshakes } from './endpoint-handshakes.js';
import { EndpointHealthController } from './endpoint-health.controller.js';
import { EndpointHealthList } from './endpoint-health.service.js';
import { EndpointSettings } from './endpoint-settings.service.js';
import { EndpointsOfKeyController } from './endpoints-of-key.controller.js';
import { WebhooksController } from './webhooks.controller.js';

/** Managing endpoints, for their keys and for the dashboard. */
@Module({
  imports: [ApiKeysModule, AuditModule, EndpointsModule, QuotaModule, WebhookDeliveriesModule],
  controllers: [WebhooksController, EndpointsOfKeyController, EndpointHealthController],
  providers: [
    AccountVersions,
    EndpointHandshakes,
    EndpointHealthList,
    EndpointSettings,
    RepeatedRequests,
    WebhookClient,
  ],
})
export class WebhookEndpointsModule {}
