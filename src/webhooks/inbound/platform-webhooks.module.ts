import { Module } from '@nestjs/common';
import { AppSecrets } from './app-secrets.js';
import { NotificationIntake } from './notification-intake.js';
import { PlatformWebhookController } from './platform-webhook.controller.js';

/** The API's side of notifications: verify, store, answer. */
@Module({
  controllers: [PlatformWebhookController],
  providers: [AppSecrets, NotificationIntake],
})
export class PlatformWebhooksModule {}
