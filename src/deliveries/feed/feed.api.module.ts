import { Module } from '@nestjs/common';
import { EventFeed } from '../../events/event-feed.js';
import { FeedController } from './feed.controller.js';
import { FeedService } from './feed.service.js';
import { FeedWaiting } from './feed-waiting.js';

/** Reading the events of a key. */
@Module({
  controllers: [FeedController],
  providers: [EventFeed, FeedService, FeedWaiting],
})
export class EventFeedModule {}
