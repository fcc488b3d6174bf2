import { createHash, type Hash } from 'node:crypto';
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
    /** SHA-256 of a signed body that was too large, in hex; null where it was answered before its end. */
    readonly sha256: string | null = null,
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
  const bodyOf = (bytes: Buffer, isTooLarge: boolean, sha256: string | null = null) =>
    new RawBody(bytes, contentType, encoding, isTooLarge, maxBytes, sha256);
  const isSigned = request.headers['x-signature'] !== undefined;
  let hash: Hash | null = null;
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
      return;
    }
    if (received > answerAtBytes) return finish(bodyOf(Buffer.alloc(0), true));
    if (!isSigned) return;
    // A right signature is refused for the size, a wrong one for itself.
    hash ??= createHash('sha256').update(Buffer.concat(chunks));
    hash.update(chunk);
  });
  payload.on('end', () => {
    if (received > maxBytes) {
      finish(bodyOf(Buffer.alloc(0), true, hash?.digest('hex')));
      return;
    }
    finish(bodyOf(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), false));
  });
  payload.on('error', fail);
}

const tooLate = () =>
  Object.assign(new Error('the body was not complete in time'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  });
