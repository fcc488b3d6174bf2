import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { DirectMessagesModule } from '../direct-messages/direct-messages.module.js';
import { addErrorForm } from '../http/app-error.filter.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PlatformWebhooksModule } from '../notifications/notifications.api.module.js';
import { PlatformModule } from '../platform/platform.module.js';
import { TemplatesModule } from '../templates/templates.api.module.js';
import { UploadsModule } from '../uploads/uploads.api.module.js';
import { graphAddresses, graphErrors, notOffered } from './graph-errors.js';
import { GraphFiles } from './media/graph-files.js';
import { GraphMediaController } from './media/graph-media.controller.js';
import { GraphMessagesController } from './messages/graph-messages.controller.js';
import { GraphSends } from './messages/graph-sends.service.js';
import { GraphNumbers } from './objects/graph-numbers.js';
import { GraphObjectsController } from './objects/graph-objects.controller.js';
import { GraphTemplates } from './objects/graph-templates.js';

/** With a version, and what it leads to; or a file's address. */
const offeredForm = /^\/graph\/(?:v\d{1,2}\.\d\/|media\/[^/]+$)/;

/** The routes that speak as WhatsApp's own API does, for programs that know only that. */
@Module({
  imports: [
    ApiKeysModule,
    DirectMessagesModule,
    MessagesModule,
    PlatformModule,
    PlatformWebhooksModule,
    TemplatesModule,
    UploadsModule,
  ],
  controllers: [GraphMediaController, GraphMessagesController, GraphObjectsController],
  providers: [GraphFiles, GraphNumbers, GraphSends, GraphTemplates],
})
export class GraphModule implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    addErrorForm(graphErrors);
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', (request, _reply, done) => {
      const isOther = graphAddresses.test(request.url) && !offeredForm.test(request.url);
      done(isOther ? notOffered() : undefined);
    });
  }
}
