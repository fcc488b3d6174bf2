import { Controller, Get, Param, Res } from '@nestjs/common';
import { Caller } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import { RequirePermission } from '../../access/require-permission.decorator.js';
import type { Reply } from '../../http/request.js';
import { AnswersBare } from '../../http/route.decorators.js';
import { InboundMediaService } from './inbound-media.service.js';

/** Files that users sent. */
@Controller('api/v1/external/media')
export class InboundMediaController {
  constructor(private readonly media: InboundMediaService) {}

  /** The file of an inbound message, as the event's `url` names it. */
  @Get(':id')
  @RequirePermission('view_messages')
  @AnswersBare({ 200: { description: 'The file.', mediaType: '*/*' } })
  downloadMedia(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Res() reply: Reply,
  ): Promise<void> {
    return this.media.sendMedia(id, caller, reply);
  }
}
