import { EventEmitter } from 'node:events';
import pg from 'pg';

/**
 * A connection that may be lost at any moment. While the pool hands a new connection over to the code that
 * asked for it, nothing listens. If the server's last message arrived together with its greeting, the
 * `error` event had no listener and ended the process. The user of the
 * connection still notices: its queries fail, and late listeners are notified.
 */
export class ErrorTolerantClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    let loss: Error | null = null;
    this.on('error', (error) => {
      loss ??= error;
    });
    const tellLate = (event: string, listener: (error: Error) => void) => {
      if (event !== 'error' || loss === null) return;
      const error = loss;
      setImmediate(() => {
        if (this.listeners('error').includes(listener)) listener.call(this, error);
      });
    };
    // The types of pg know no event of this name.
    EventEmitter.prototype.on.call(this, 'newListener', tellLate);
  }
}
