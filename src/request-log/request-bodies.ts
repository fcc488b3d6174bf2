import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { plainArray } from '../database/array-literals.js';
import { HotStatements } from '../database/hot-statements.js';
import { SecretBox } from '../secrets/secret-box.js';

/** The redacted body of a request, to be kept for an hour. */
export interface KeptBody {
  /** The id of the request without its prefix. */
  readonly requestId: string;
  readonly accountId: string;
  readonly text: string;
}

const insertStatement = {
  name: 'keep-bodies',
  text: `
  insert into request_bodies (request_id, account_id, sealed_body, expires_at)
  select request_id, account_id, sealed_body, now() + interval '1 hour'
  from unnest($1::uuid[], $2::uuid[], $3::text[]) as t (request_id, account_id, sealed_body)
  on conflict do nothing`,
};

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
    await this.statements.runLazily(insertStatement, [
      plainArray(bodies.map(({ requestId }) => requestId)),
      plainArray(bodies.map(({ accountId }) => accountId)),
      plainArray(bodies.map(({ requestId, text }) => this.secrets.seal(text, placeOf(requestId)))),
    ]);
  }

  /**
   * The body of a request and until when it is kept; null where none is.
   * @param accountId null for a request of any account.
   */
  async find(
    requestId: string,
    accountId: string | null,
  ): Promise<{ text: string; keptUntil: Date } | null> {
    const [row]: { sealed: string; keptUntil: Date }[] = await this.dataSource.query(
      `select sealed_body as sealed, expires_at as "keptUntil" from request_bodies
       where request_id = $1 and ($2::uuid is null or account_id = $2) and expires_at > now()`,
      [requestId, accountId],
    );
    return (
      (row && {
        text: this.secrets.open(row.sealed, placeOf(requestId)),
        keptUntil: row.keptUntil,
      }) ??
      null
    );
  }
}
