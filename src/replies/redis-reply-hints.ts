import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { connectRedis } from '../queues/redis.js';
import { decodeHints, encodeHints, hintsMax, type ReplyHint, ReplyHints } from './reply-hints.js';

const channelOf = (processId: string) => `parley:replies:${processId}`;

/** Reply hints over Redis pub/sub. */
export class RedisReplyHints extends ReplyHints {
  private readonly publisher: Redis;
  private subscriber: Redis | null = null;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {
    super();
    this.publisher = connectRedis(url, logger);
  }

  async listen(processId: string, listener: (hints: ReplyHint[]) => void): Promise<void> {
    // ioredis subscribes again by itself after a reconnect.
    const subscriber = connectRedis(this.url, this.logger, {
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      commandTimeout: undefined,
    });
    this.subscriber = subscriber;
    subscriber.on('message', (_channel, text) => listener(decodeHints(text)));
    await Promise.race([
      subscriber.subscribe(channelOf(processId)),
      new Promise((resolve) => setTimeout(resolve, 1_000).unref()),
    ]);
  }

  async publish(processId: string, hints: readonly ReplyHint[]): Promise<void> {
    try {
      for (let start = 0; start < hints.length; start += hintsMax) {
        const text = encodeHints(hints.slice(start, start + hintsMax));
        await this.publisher.publish(channelOf(processId), text);
      }
    } catch (error) {
      this.logger.debug({ err: error }, 'a reply hint was lost; the waiting process reads the row');
    }
  }

  async close(): Promise<void> {
    this.publisher.disconnect();
    this.subscriber?.disconnect();
  }
}
