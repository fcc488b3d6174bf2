import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { plainArray } from '../database/array-literals.js';
import { HotStatements } from '../database/hot-statements.js';
import { SecretBox } from '../secrets/secret-box.js';
import * as sql from './request-bodies.statements.js';

/** The redacted body of a request, to be kept for an hour. */
export interface KeptBody {
  /** The id of the request without its prefix. */
  readonly requestId: string;
  readonly accountId: string;
  readonly text: string;
}

const placeOf = (requestId: string) => `request_bodies.body.${requestId}`;

/** Bodies of requests, sealed. What is expired is not read, and deleted by the upkeep of the database. */
@Injectable()
export class RequestBodies {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: HotStatements,
    private readonly secrets: SecretBox,
  ) {}

  async insert(bodies: readonly KeptBody[]): Promise<void> {
    await sql.keepBodies.run(this.statements.lazily, {
      requestIds: plainArray(bodies.map(({ requestId }) => requestId)),
      accountIds: plainArray(bodies.map(({ accountId }) => accountId)),
      bodies: plainArray(
        bodies.map(({ requestId, text }) => this.secrets.seal(text, placeOf(requestId))),
      ),
    });
  }

  /**
   * The body of a request and until when it is kept; null where none is.
   * @param accountId null for a request of any account.
   */
  async find(
    requestId: string,
    accountId: string | null,
  ): Promise<{ text: string; keptUntil: Date } | null> {
    const row = await sql.findBody.row(this.dataSource, { requestId, accountId });
    return (
      row && {
        text: this.secrets.open(row.sealed, placeOf(requestId)),
        keptUntil: row.keptUntil,
      }
    );
  }
}
