import { Controller, Get, Query, Req } from '@nestjs/common';
import { Caller } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import { RequirePermissionForFeed } from '../../access/require-permission.decorator.js';
import type { Request } from '../../http/request.js';
import { Refuses } from '../../http/route.decorators.js';
import { type FeedDto, FeedQueryDto } from './feed.dto.js';
import { FeedService } from './feed.service.js';

/** Events to read, for callers that have no address to post them to. */
@Controller('api/v1/external/events')
export class FeedController {
  constructor(private readonly feed: FeedService) {}

  /**
   * The events of the key since its feed was switched on, the oldest first. None is left out, and none appears before a
   * cursor that was returned. Reads use nothing of the key's limits: they have one of their own, 120 a minute.
   */
  @Get()
  @RequirePermissionForFeed('view_messages')
  @Refuses('FEED_STATE')
  listEvents(
    @Caller() caller: Principal,
    @Query() query: FeedQueryDto,
    @Req() request: Request,
  ): Promise<FeedDto> {
    return this.feed.read(caller, query, request.admitAgain);
  }
}
