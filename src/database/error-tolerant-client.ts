import { EventEmitter } from 'node:events';
import pg from 'pg';

/**
 * A connection that may be lost at any moment. Between the pool, which hands a new connection over, and
 * the code that asked for it, nothing listens for a moment; the server's last message, read in the same
 * piece as its greeting, was an unheard `error` event then and ended the process. The user of the
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
