import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import type { Row } from '../database/statements/statement.js';
import { Turns } from '../database/transactions/turns.js';
import { AppError } from '../errors/app-error.js';
import type { Reply, Request } from '../http/request.js';
import { bodyDigest } from './canonical-json.js';
import { readIdempotencyKey, routeOf } from './idempotency-key.js';
import * as sql from './repeated-requests.statements.js';

/** A request that its caller may repeat. */
export interface RepeatableRequest {
  readonly caller: Principal;
  readonly request: Request;
  readonly reply: Reply;
  /** As it was validated. */
  readonly body: object;
  /** What `Turns` calls the rows that the work locks; null where it waits for nothing but its own repetitions. */
  readonly turn: string | null;
}

/** What was written in a transaction. */
export interface Written<Answer> {
  readonly answer: Answer;
  /** Tells of it, after the commit. */
  readonly publish?: () => void;
}

/** What a request does. */
export interface RepeatableWork<Prepared, Answer> {
  /** What it needs to know before it has a connection. A request that was answered before does not ask for it. */
  readonly prepare?: () => Promise<Prepared>;
  /** Is given the transaction that also stores its answer. */
  readonly write: (manager: EntityManager, prepared: Prepared) => Promise<Written<Answer>>;
}

/**
 * Answers requests that are repeated with the same idempotency key as they were answered first, for 24 hours. Sends have
 * `MessageAcceptance` for that: a repeated send is answered with what is known of its message now.
 */
@Injectable()
export class RepeatedRequests {
  constructor(
    private readonly dataSource: DataSource,
    private readonly turns: Turns,
  ) {}

  /**
   * Does something once.
   * @returns its answer as it is stored, so without secrets. The reply says whether it is the answer to an earlier request.
   * @throws AppError VALIDATION_ERROR, IDEMPOTENCY_KEY_REUSED; whatever the work throws, which stores nothing
   */
  async once<Prepared, Answer extends object>(
    { caller: { apiKeyId }, request, reply, body, turn }: RepeatableRequest,
    { prepare, write }: RepeatableWork<Prepared, Answer>,
  ): Promise<Answer> {
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    // A body may have a thousand items: without a key nobody asks whether it is the same.
    const named =
      key === null ? null : { apiKeyId, route: routeOf(request), key, digest: bodyDigest(body) };
    const replayOf = (known: Row<typeof sql.findReplay> | null): Written<Answer> => {
      if (!named || !known?.body_digest.equals(named.digest))
        throw new AppError('IDEMPOTENCY_KEY_REUSED');
      reply.header('idempotency-replayed', 'true');
      // A repetition takes a unit of the minute only.
      request.dayUnit = null;
      return { answer: known.answer as Answer };
    };
    if (named) {
      const before = await sql.findReplay.row(this.dataSource, named);
      if (before) return replayOf(before).answer;
    }
    const prepared = (await prepare?.()) as Prepared;
    const writeOnce = async (manager: EntityManager): Promise<Written<Answer>> => {
      if (!named) return write(manager, prepared);
      await sql.forgetEndedReplay.run(manager, named);
      const isMine = (await sql.addReplay.row(manager, named)) !== null;
      if (!isMine) return replayOf(await sql.findReplay.row(manager, named));
      const written = await write(manager, prepared);
      await sql.answerReplay.run(manager, { ...named, answer: JSON.stringify(written.answer) });
      return written;
    };
    const run = () => this.dataSource.transaction(writeOnce);
    const waitsFor = turn ?? (named && `${apiKeyId} ${named.route} ${named.key}`);
    const { answer, publish } = await (waitsFor === null ? run() : this.turns.take(waitsFor, run));
    publish?.();
    return answer;
  }
}
