import { connect as connectSocket, createServer } from 'node:net';

/**
 * HTTP/1.1 over plain sockets, for the parts of a benchmark that share the machine with what they measure: a general
 * client or server costs more per request than the work that is done here. The price: messages in both directions
 * must be ASCII and carry a content-length, and no server answers before the request is complete.
 */

/**
 * A client's connection, one request at a time. It connects with the first request, and again after it broke.
 *
 * `send(text, onAnswer)` writes a complete request; `onAnswer(status, body)` gets its answer. When there is none,
 * the status is 0 and the body says why.
 */
export class HttpConnection {
  #port;
  #timeoutMs;
  #socket = null;
  #received = '';
  #onAnswer = null;

  constructor(port, { timeoutMs = 30_000 } = {}) {
    this.#port = port;
    this.#timeoutMs = timeoutMs;
  }

  send(text, onAnswer) {
    this.#onAnswer = onAnswer;
    this.#socket ??= this.#connect();
    this.#socket.write(text, 'latin1');
  }

  close() {
    this.#onAnswer = null;
    this.#socket?.end();
  }

  #connect() {
    const socket = connectSocket({
      host: '127.0.0.1',
      port: this.#port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(64 * 1024),
        callback: (length, buffer) => this.#onBytes(buffer.latin1Slice(0, length)),
      },
    });
    socket.setTimeout(this.#timeoutMs, () => {
      if (this.#onAnswer !== null) socket.destroy(new Error('no answer in time'));
    });
    const end = (reason) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#received = '';
      this.#settle(0, reason);
    };
    socket.once('error', (error) => end(error.message));
    socket.once('end', () => end('the server closed the connection'));
    socket.once('close', () => end('the connection broke'));
    return socket;
  }

  #onBytes(text) {
    this.#received = this.#received === '' ? text : this.#received + text;
    const message = takeMessage(this.#received);
    if (message === null) return true;
    this.#received = '';
    this.#settle(Number(message.head.slice(9, 12)), message.body);
    return true;
  }

  #settle(status, body) {
    const onAnswer = this.#onAnswer;
    this.#onAnswer = null;
    onAnswer?.(status, body);
  }
}

/**
 * Listens on the port of this machine. `handle({ method, path, head, body, isWaiting }, answer)` gets each request;
 * `answer(body, status)` may be called at any later time, and returns false when the caller has gone. Until then
 * `isWaiting()` is true.
 */
export function serve(port, handle) {
  const server = createServer({ noDelay: true }, (socket) => {
    let received = '';
    const isWaiting = () => socket.writable;
    const answer = (body = '', status = 200) => {
      if (!socket.writable) return false;
      const type = body.startsWith('{') ? 'application/json' : 'text/plain';
      socket.write(
        `HTTP/1.1 ${status} -\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        'latin1',
      );
      return true;
    };
    socket.setEncoding('latin1');
    socket.on('error', () => {});
    socket.on('data', (text) => {
      received = received === '' ? text : received + text;
      for (;;) {
        const message = takeMessage(received);
        if (message === null) return;
        received = received.slice(message.length);
        const [method, path] = message.head.split(' ', 2);
        handle({ method, path, head: message.head, body: message.body, isWaiting }, answer);
      }
    });
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}

/** The first message of the text, or null while it is incomplete. Without a content-length it has no body. */
function takeMessage(text) {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const head = text.slice(0, headEnd);
  const match = /\r\ncontent-length: *(\d+)/i.exec(head);
  const length = headEnd + 4 + (match === null ? 0 : Number(match[1]));
  return text.length < length ? null : { head, body: text.slice(headEnd + 4, length), length };
}
