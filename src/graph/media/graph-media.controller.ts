import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import { Caller } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import { Public, RequireGraphAccess } from '../../access/require-permission.decorator.js';
import { requirePermission } from '../../auth/admission.js';
import { noSuch, validationError } from '../../errors/app-error.js';
import { Bare } from '../../http/envelope.js';
import type { Reply, Request } from '../../http/request.js';
import { StreamedBody } from '../../http/server/streamed-body.js';
import { formMaxBytes } from '../../uploads/media-kinds.js';
import { UploadsService } from '../../uploads/uploads.service.js';
import { GraphFiles } from './graph-files.js';

/** Files in the form of WhatsApp's own API. */
@Controller('graph')
@ApiExcludeController()
export class GraphMediaController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly files: GraphFiles,
  ) {}

  @Post(':version/:object/media')
  @HttpCode(200)
  @RequireGraphAccess()
  @RouteConfig({ bodyMaxBytes: formMaxBytes, streamsBody: true })
  async upload(
    @Caller() caller: Principal,
    @Param('object') object: string,
    @Req() { body }: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<Bare> {
    if (object !== caller.account.phoneNumberId) throw noSuch('object');
    requirePermission(caller, 'send_media');
    if (!(body instanceof StreamedBody)) throw validationError({ body: 'is required' });
    const { platformId } = await this.uploads.take(caller, body, { ignoresOthers: true }, reply);
    return new Bare({ id: platformId });
  }

  /** The address says whose file it is, and until when. */
  @Get('media/:token')
  @Public()
  download(@Param('token') token: string, @Res() reply: Reply): Promise<void> {
    return this.files.send(token, reply);
  }
}
