import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { HintChannel } from './hint-channel.js';
import { connectRedis } from './redis.js';

const channelOf = (name: string) => `parley:${name}`;

/** Hints over Redis pub/sub. */
export class RedisHintChannel extends HintChannel {
  private readonly publisher: Redis;
  private subscriber: Redis | null = null;

  constructor(
    private readonly url: string,
    private readonly logger: Logger,
  ) {
    super();
    this.publisher = connectRedis(url, logger);
  }

  async listen(
    name: string,
    listener: (text: string) => void,
    onGap: () => void = () => undefined,
  ): Promise<void> {
    // ioredis subscribes again by itself after a reconnect.
    this.subscriber ??= connectRedis(this.url, this.logger, {
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      commandTimeout: undefined,
    });
    this.subscriber.on('message', (channel, text) => {
      if (channel === channelOf(name)) listener(text);
    });
    this.subscriber.on('ready', onGap);
    await Promise.race([
      this.subscriber.subscribe(channelOf(name)),
      new Promise((resolve) => setTimeout(resolve, 1_000).unref()),
    ]);
  }

  async publish(name: string, text: string): Promise<void> {
    try {
      await this.publisher.publish(channelOf(name), text);
    } catch (error) {
      this.logger.debug({ err: error }, 'a hint was lost; the rows are read within seconds');
    }
  }

  async close(): Promise<void> {
    this.publisher.disconnect();
    this.subscriber?.disconnect();
  }
}
