import { createHash, timingSafeEqual } from 'node:crypto';
import { Controller, Get, Headers, HttpCode, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiHeader, ApiQuery } from '@nestjs/swagger';
import { Public } from '../../auth/require-permission.decorator.js';
import { Config } from '../../config/config.js';
import { AppError, validationError } from '../../errors/app-error.js';
import { RawBody } from '../../http/raw-body.js';
import type { Request } from '../../http/request.js';
import { AnswersBare, Refuses } from '../../openapi/route.decorators.js';
import { AppSecrets } from './app-secrets.js';
import { NotificationIntake } from './notification-intake.js';

/** The platform sends up to 3 MB. */
const bodyMaxBytes = 4 * 1024 * 1024;

/** What the platform calls: its handshake, and its notifications. It reads statuses, not envelopes. */
@Controller('api/v1/platform/whatsapp/webhooks')
@Public()
export class PlatformWebhookController {
  constructor(
    private readonly config: Config,
    private readonly secrets: AppSecrets,
    private readonly intake: NotificationIntake,
  ) {}

  /** Answers the challenge of whoever knows the verify token. */
  @Get()
  @ApiQuery({ name: 'hub.mode', description: '`subscribe`.' })
  @ApiQuery({ name: 'hub.verify_token' })
  @ApiQuery({ name: 'hub.challenge' })
  @AnswersBare({ 200: { description: 'The challenge.' } })
  @Refuses('VALIDATION_ERROR', 'FORBIDDEN')
  confirmPlatformWebhook(@Req() request: Request): string {
    const query = request.query as Record<string, unknown>;
    const token = query['hub.verify_token'];
    const challenge = query['hub.challenge'];
    if (query['hub.mode'] !== 'subscribe' || !this.isVerifyToken(token)) {
      throw new AppError('FORBIDDEN', { message: 'The verify token is another one.' });
    }
    if (typeof challenge !== 'string') throw validationError({ 'hub.challenge': 'is required' });
    return challenge;
  }

  /** Takes a notification: 200 says that it is stored, and only then. */
  @Post()
  @HttpCode(200)
  @ApiHeader({ name: 'X-Hub-Signature-256', description: 'By an app secret of an account.' })
  @ApiBody({ schema: { type: 'object' }, description: 'At most 4 MiB.' })
  @AnswersBare({ 200: { description: '`EVENT_RECEIVED`.' } })
  @Refuses('INVALID_SIGNATURE', { code: 'VALIDATION_ERROR', status: 413 })
  @RouteConfig({ bodyMaxBytes })
  async takeNotification(
    @Req() { body }: Request,
    @Headers('x-hub-signature-256') signature: string | undefined,
  ): Promise<string> {
    const raw = body instanceof RawBody ? body : null;
    if (raw?.isTooLarge) {
      throw new AppError('VALIDATION_ERROR', {
        status: 413,
        message: `The body must be at most ${bodyMaxBytes / 1024 / 1024} MiB.`,
      });
    }
    const bytes = raw?.bytes ?? Buffer.alloc(0);
    const signer = await this.secrets.findSigner(bytes, signature);
    if (!signer) {
      throw new AppError('INVALID_SIGNATURE', {
        message: 'X-Hub-Signature-256 was made with none of the app secrets.',
      });
    }
    await this.intake.take(bytes, signer);
    return 'EVENT_RECEIVED';
  }

  private isVerifyToken(token: unknown): boolean {
    const { platformVerifyToken } = this.config;
    if (platformVerifyToken === null || typeof token !== 'string') return false;
    const digest = (text: string) => createHash('sha256').update(text).digest();
    return timingSafeEqual(digest(token), digest(platformVerifyToken));
  }
}
