import { createHash, timingSafeEqual } from 'node:crypto';
import {
  applyDecorators,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Req,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiHeader, ApiQuery } from '@nestjs/swagger';
import { Public } from '../../access/require-permission.decorator.js';
import { addressBlock } from '../../auth/address-block.js';
import { Config } from '../../config/config.js';
import { AppError, validationError } from '../../errors/app-error.js';
import type { Request } from '../../http/request.js';
import { AnswersBare, Refuses } from '../../http/route.decorators.js';
import { RawBody } from '../../http/server/raw-body.js';
import { AppSecrets } from './app-secrets.js';
import { NotificationIntake } from './notification-intake.js';
import { PlatformHandshakes } from './platform-handshakes.js';
import { SignerSearch } from './signer-search.js';

/** The platform sends up to 3 MB. */
const bodyMaxBytes = 4 * 1024 * 1024;

const signatureHeader = 'x-hub-signature-256';

const IsHandshake = () =>
  applyDecorators(
    ApiQuery({ name: 'hub.mode', description: '`subscribe`.' }),
    ApiQuery({ name: 'hub.verify_token' }),
    ApiQuery({ name: 'hub.challenge' }),
    AnswersBare({ 200: { description: 'The challenge.' } }),
  );

const IsNotification = () =>
  applyDecorators(
    HttpCode(200),
    ApiHeader({ name: 'X-Hub-Signature-256', description: 'By an app secret of an account.' }),
    ApiBody({ schema: { type: 'object' }, description: 'At most 4 MiB.' }),
    AnswersBare({ 200: { description: '`EVENT_RECEIVED`.' } }),
    Refuses('INVALID_SIGNATURE', { code: 'VALIDATION_ERROR', status: 413 }),
    RouteConfig({ bodyMaxBytes }),
  );

/** What the platform calls: its handshake and its notifications. It reads HTTP statuses, not envelopes. */
@Controller('api/v1/platform/whatsapp/webhooks')
@Public()
export class PlatformWebhookController {
  constructor(
    private readonly config: Config,
    private readonly secrets: AppSecrets,
    private readonly signers: SignerSearch,
    private readonly intake: NotificationIntake,
    private readonly handshakes: PlatformHandshakes,
  ) {}

  /** Answers the platform's challenge to a caller that knows the verify token. */
  @Get()
  @IsHandshake()
  @Refuses('VALIDATION_ERROR', 'FORBIDDEN')
  async confirmPlatformWebhook(@Req() request: Request): Promise<string> {
    const challenge = this.challengeOf(request);
    await this.handshakes.note(request.headers['user-agent']);
    return challenge;
  }

  /** The same at the address of one account. */
  @Get(':account')
  @IsHandshake()
  @Refuses('VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND')
  async confirmAccountWebhook(
    @Req() request: Request,
    @Param('account') account: string,
  ): Promise<string> {
    const challenge = this.challengeOf(request);
    if (!(await this.secrets.isAccount(account))) {
      throw new AppError('NOT_FOUND', { message: 'There is no account with this id.' });
    }
    await this.handshakes.note(request.headers['user-agent']);
    return challenge;
  }

  /**
   * Takes a notification. The answer is 200 only if it is stored. Give WhatsApp the address of an account instead: here, the
   * search for the app that signed is limited.
   */
  @Post()
  @IsNotification()
  takePlatformNotification(
    @Req() request: Request,
    @Headers(signatureHeader) signature: string | undefined,
  ): Promise<string> {
    return this.take(request, signature, null);
  }

  /** The same at the address of one account: only the secret of its app, and the simulator's, are tried. */
  @Post(':account')
  @IsNotification()
  takeAccountNotification(
    @Req() request: Request,
    @Headers(signatureHeader) signature: string | undefined,
    @Param('account') account: string,
  ): Promise<string> {
    return this.take(request, signature, account);
  }

  private challengeOf(request: Request): string {
    const query = request.query as Record<string, unknown>;
    const token = query['hub.verify_token'];
    const challenge = query['hub.challenge'];
    if (query['hub.mode'] !== 'subscribe' || !this.isVerifyToken(token)) {
      throw new AppError('FORBIDDEN', { message: 'The verify token is wrong.' });
    }
    if (typeof challenge !== 'string') throw validationError({ 'hub.challenge': 'is required' });
    return challenge;
  }

  private async take(
    { body, ip }: Request,
    signature: string | undefined,
    accountId: string | null,
  ): Promise<string> {
    const raw = body instanceof RawBody ? body : null;
    if (raw?.isTooLarge) {
      throw new AppError('VALIDATION_ERROR', {
        status: 413,
        message: `The body must be at most ${bodyMaxBytes / 1024 / 1024} MiB.`,
      });
    }
    const bytes = raw?.bytes ?? Buffer.alloc(0);
    const address = addressBlock(ip);
    const signer = await this.signers.findSigner({ body: bytes, signature, accountId, address });
    if (!signer) {
      throw new AppError('INVALID_SIGNATURE', {
        message: 'X-Hub-Signature-256 was not made with an app secret that may sign this body.',
      });
    }
    await this.intake.takeNotification(bytes, signer);
    return 'EVENT_RECEIVED';
  }

  private isVerifyToken(token: unknown): boolean {
    const { platformVerifyToken } = this.config;
    if (platformVerifyToken === null || typeof token !== 'string') return false;
    const digest = (text: string) => createHash('sha256').update(text).digest();
    return timingSafeEqual(digest(token), digest(platformVerifyToken));
  }
}
