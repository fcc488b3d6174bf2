import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { unavailable } from '../../errors/app-error.js';
import type { HeldBodies } from './held-bodies.js';

/** A body as it came over the wire. It is parsed behind the guards, by the body pipe. */
export class RawBody {
  constructor(
    readonly bytes: Buffer,
    /** The content type as sent, or an empty string. */
    readonly contentType: string,
    /** How it is compressed, by its header; an empty string if it is not. */
    readonly contentEncoding: string = '',
    /** The body was larger than the route takes; `bytes` is empty then. */
    readonly isTooLarge: boolean = false,
    /** The most that the route takes. */
    readonly maxBytes: number = bodyMaxBytes,
  ) {}
}

/** Bodies of callers, in bytes. */
export const bodyMaxBytes = 256 * 1024;

/**
 * How much of an oversized body is read and dropped before it is answered. The rest is dropped after
 * the answer, for as long as a request may take: a client that is still writing sees the
 * answer only if its data is read, and its next request comes after that.
 */
const answerAtBytes = 8 * 1024 * 1024;

/**
 * Reads a whole body and never fails on its content. A request with a bad key and a broken body must be
 * refused for its key, so the body is checked only after the guards.
 */
export function readRawBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  done: (error: Error | null, body?: RawBody) => void,
  held: HeldBodies,
  maxBytes: number = bodyMaxBytes,
): void {
  const { 'content-type': contentType = '', 'content-encoding': encoding = '' } = request.headers;
  const bodyOf = (bytes: Buffer, isTooLarge: boolean) =>
    new RawBody(bytes, contentType, encoding, isTooLarge, maxBytes);
  let chunks: Buffer[] = [];
  let received = 0;
  let isFinished = false;
  const fail = (error: Error) => {
    held.end(payload);
    chunks = [];
    if (isFinished) return;
    isFinished = true;
    done(error);
  };
  const finish = (body: RawBody) => {
    held.end(payload);
    chunks = [];
    if (isFinished) return;
    isFinished = true;
    done(null, body);
  };
  held.begin(payload, (reason) => {
    // As Node tells of a request whose headers take too long.
    if (reason === 'late') request.server.server.emit('clientError', tooLate(), payload.socket);
    else fail(unavailable('too_many_bodies', 'Too many requests are arriving; try again.'));
  });
  payload.on('close', () => held.end(payload));
  payload.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (isFinished) return;
    if (received <= maxBytes) {
      chunks.push(chunk);
      held.addBytes(payload, chunk.length);
    } else if (received > answerAtBytes) finish(bodyOf(Buffer.alloc(0), true));
  });
  payload.on('end', () => {
    const isTooLarge = received > maxBytes;
    const bytes = isTooLarge
      ? Buffer.alloc(0)
      : chunks.length === 1 && chunks[0]
        ? chunks[0]
        : Buffer.concat(chunks);
    finish(bodyOf(bytes, isTooLarge));
  });
  payload.on('error', fail);
}

const tooLate = () =>
  Object.assign(new Error('the body was not complete in time'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  });
