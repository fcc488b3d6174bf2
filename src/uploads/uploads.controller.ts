import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { Caller } from '../access/caller.decorator.js';
import type { Principal } from '../access/principal.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import { validationError } from '../errors/app-error.js';
import type { Reply, Request } from '../http/request.js';
import { Refuses } from '../http/route.decorators.js';
import { StreamedBody } from '../http/server/streamed-body.js';
import { refuseIdempotencyKey } from '../idempotency/idempotency-key.js';
import { formMaxBytes } from './media-kinds.js';
import type { UploadDto } from './uploads.dto.js';
import { UploadsService } from './uploads.service.js';

/** Files that messages name by an id instead of a link. */
@Controller('api/v1/external/media')
export class UploadsController {
  constructor(private readonly uploads: UploadsService) {}

  /**
   * Uploads a file, as a form with the field `file`. Messages name it by `media_id` wherever they take a `link`. The
   * same file again answers the same id while it has more than a day left. A signed request names the SHA-256 of its
   * body in `X-Content-SHA256`. At most 101 MB, 10 minutes, and at least 64 KiB a second.
   */
  @Post()
  @HttpCode(200)
  @RequirePermission('send_media')
  @RouteConfig({ bodyMaxBytes: formMaxBytes, streamsBody: true })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      properties: { file: { type: 'string', format: 'binary' } },
      required: ['file'],
    },
  })
  @Refuses('VALIDATION_ERROR', 'MEDIA_TYPE', 'MEDIA_TOO_LARGE')
  uploadMedia(
    @Caller() caller: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<UploadDto> {
    refuseIdempotencyKey(request);
    const { body } = request;
    if (!(body instanceof StreamedBody)) throw validationError({ body: 'is required' });
    const told = request.headers['x-content-sha256'];
    return this.uploads.upload(
      caller,
      body,
      typeof told === 'string' ? told.toLowerCase() : null,
      reply,
    );
  }
}
