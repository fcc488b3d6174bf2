import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Refuses } from '../http/route.decorators.js';
import type {
  ApiKeyAnswerDto,
  ApiKeysDto,
  ApiKeyUsageDto,
  CreatedApiKeyDto,
  RotatedApiKeyDto,
  RotatedSigningSecretDto,
  RotatedWebhookSecretDto,
} from './api-key-answers.dto.js';
import { ApiKeyRotationService } from './api-key-rotation.service.js';
import {
  AccountModeQueryDto,
  ApiKeyChangeDto,
  EndOverlapDto,
  KeepBodiesDto,
  KeyRotationDto,
  KeySuspensionDto,
  NewApiKeyDto,
} from './api-keys.dto.js';
import { ApiKeysService } from './api-keys.service.js';

/** API keys of the user's account; operators see all. */
@Controller('api/v1/dashboard/api-keys')
@RequireRole('administrator')
export class ApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly rotation: ApiKeyRotationService,
  ) {}

  /** Lists keys, the newest first. */
  @Get()
  async list(
    @SignedIn() user: SignedInUser,
    @Query() query: AccountModeQueryDto,
  ): Promise<ApiKeysDto> {
    return { api_keys: await this.keys.list(user, query) };
  }

  /** Makes a key. Its secrets are in this answer only. */
  @Post()
  @Refuses('NAME_TAKEN', 'ACCOUNT_LIMIT', 'NOT_FOUND')
  create(@SignedIn() user: SignedInUser, @Body() given: NewApiKeyDto): Promise<CreatedApiKeyDto> {
    return this.keys.create(user, given);
  }

  /** One key. */
  @Get(':id')
  async get(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<ApiKeyAnswerDto> {
    return { api_key: await this.keys.get(user, id) };
  }

  /** Changes a key; the change applies from the next request on. */
  @Patch(':id')
  @Refuses('NAME_TAKEN', 'CONFLICT', 'WEBHOOK_LIMIT', 'ACCOUNT_LIMIT')
  async update(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: ApiKeyChangeDto,
  ): Promise<ApiKeyAnswerDto> {
    return { api_key: await this.keys.update(user, id, given) };
  }

  /** Deletes a key, immediately and for good. */
  @Delete(':id')
  delete(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<object> {
    return this.keys.delete(user, id);
  }

  /** How much of its limits per minute and day the key has used, and its calls by hour. */
  @Get(':id/usage')
  getApiKeyUsage(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<ApiKeyUsageDto> {
    return this.keys.usage(user, id);
  }

  /** Revokes a key, for good. */
  @Post(':id/revoke')
  async revoke(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<ApiKeyAnswerDto> {
    return { api_key: await this.keys.revoke(user, id) };
  }

  /** Suspends a key until an operator reinstates it. */
  @Post(':id/suspend')
  @Refuses('CONFLICT')
  @RequireRole('operator')
  async suspend(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: KeySuspensionDto,
  ): Promise<ApiKeyAnswerDto> {
    return { api_key: await this.keys.suspend(user, id, given.reason) };
  }

  /** Ends a suspension. */
  @Post(':id/reinstate')
  @Refuses('CONFLICT')
  @RequireRole('operator')
  async reinstate(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<ApiKeyAnswerDto> {
    return { api_key: await this.keys.reinstate(user, id) };
  }

  /**
   * Keeps the bodies of the key's requests in the request log for some minutes: redacted and encrypted, each for an
   * hour.
   */
  @Post(':id/keep-bodies')
  @Refuses('CONFLICT')
  async keepBodies(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: KeepBodiesDto,
  ): Promise<ApiKeyAnswerDto> {
    return { api_key: await this.keys.keepBodies(user, id, given.minutes) };
  }

  /** Keeps no further bodies; those that are kept stay until their hour is over. */
  @Delete(':id/keep-bodies')
  async keepNoBodies(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<ApiKeyAnswerDto> {
    return { api_key: await this.keys.keepNoBodies(user, id) };
  }

  /** Issues a new key in place of the present one. */
  @Post(':id/rotate')
  @Refuses('CONFLICT')
  rotate(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: KeyRotationDto,
  ): Promise<RotatedApiKeyDto> {
    return this.rotation.rotateKey(user, id, given);
  }

  /** Issues a new signing secret. */
  @Post(':id/signing-secret/rotate')
  @Refuses('CONFLICT')
  rotateSigningSecret(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: KeyRotationDto,
  ): Promise<RotatedSigningSecretDto> {
    return this.rotation.rotateSigningSecret(user, id, given);
  }

  /** Issues a new secret for the key's webhook. */
  @Post(':id/webhook/rotate-secret')
  @Refuses('CONFLICT')
  rotateWebhookSecret(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: KeyRotationDto,
  ): Promise<RotatedWebhookSecretDto> {
    return this.rotation.rotateWebhookSecret(user, id, given);
  }

  /**
   * Ends the old values that still work after a rotation, at once and in every process: of the key, of its signing secret
   * and of the secret of the webhook that `webhook_url` sets, or of one of them.
   */
  @Post(':id/end-overlap')
  @Refuses('CONFLICT')
  async endOverlap(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: EndOverlapDto,
  ): Promise<ApiKeyAnswerDto> {
    return { api_key: await this.rotation.endOverlap(user, id, given) };
  }

  /** Switches the key's webhook on again. */
  @Post(':id/webhook/enable')
  async enableWebhook(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<ApiKeyAnswerDto> {
    return { api_key: await this.keys.enableWebhook(user, id) };
  }
}
