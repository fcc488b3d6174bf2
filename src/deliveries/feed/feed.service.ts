import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { AppError } from '../../errors/app-error.js';
import { EventFeed, type FeedPosition, feedStart } from '../../events/event-feed.js';
import { isReadable } from '../../events/event-types.js';
import { webhookId } from '../attempts/event-signature.js';
import type { FeedDto, FeedEventDto, FeedQueryDto } from './feed.dto.js';
import { FeedWaiting } from './feed-waiting.js';

/** The events of a key, for it to read. */
@Injectable()
export class FeedService {
  constructor(
    private readonly feed: EventFeed,
    private readonly waiting: FeedWaiting,
  ) {}

  /**
   * Leaves out what the key may not read.
   * @param admitAgain asked after each wait: the key may have changed meanwhile.
   * @throws AppError FEED_STATE if the key has no feed
   */
  async read(
    caller: Principal,
    query: FeedQueryDto,
    admitAgain: (() => Promise<Principal>) | null,
  ): Promise<FeedDto> {
    const { apiKeyId } = caller;
    let { permissions } = caller;
    refuseWithoutFeed(caller);
    const types = query.types?.split(',');
    const wants = (type: string) =>
      (types?.includes(type) ?? true) && isReadable(type, (each) => permissions.has(each));
    const endsAtMs = Date.now() + 1_000 * (query.wait ?? 0);
    let after = positionOf(query.cursor);
    for (;;) {
      const { events, next } = await this.feed.read({ apiKeyId, after }, wants, query.limit);
      const leftMs = endsAtMs - Date.now();
      const isOver = events.length > 0 || leftMs <= 0;
      if (isOver || !(await this.waiting.wait({ apiKeyId, after: next }, leftMs))) {
        return {
          events: events.map(({ id, body }) => ({
            id: webhookId(id),
            ...(JSON.parse(body) as Omit<FeedEventDto, 'id'>),
          })),
          next_cursor: `${next.xid}.${next.id}`,
        };
      }
      after = next;
      if (admitAgain) {
        const now = await admitAgain();
        refuseWithoutFeed(now);
        ({ permissions } = now);
      }
    }
  }
}

function refuseWithoutFeed({ hasFeed }: Principal): void {
  if (hasFeed) return;
  throw new AppError('FEED_STATE', {
    message: 'The key has no feed; switch event_feed on, and it has the events from then on.',
  });
}

function positionOf(cursor: string | undefined): FeedPosition {
  const [xid, id] = cursor?.split('.') ?? [];
  return xid !== undefined && id !== undefined ? { xid, id } : feedStart;
}
