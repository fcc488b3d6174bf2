import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt, timeOfId } from '../database/ids.js';
import type { Row } from '../database/statements/statement.js';
import * as sql from './request-reads.statements.js';

/** A request as it is read, with the name of its key and whether its body is kept. */
export type RequestRecord = Readonly<Row<ReturnType<typeof sql.listRequests.of>>>;

/** Which requests are asked for; absent fields do not restrict. */
export interface RequestFilter {
  /** Accounts that the reader may see; null: all, and requests without a known key. */
  readonly accountIds: readonly string[] | null;
  /** The id without its prefix. */
  readonly id?: string | null | undefined;
  readonly apiKeyId?: string | undefined;
  readonly mode?: string | undefined;
  /** From the first to the last. */
  readonly statuses?: readonly [number, number] | undefined;
  readonly code?: string | undefined;
  readonly route?: string | undefined;
  readonly addresses?: readonly string[] | undefined;
  readonly isRefused?: boolean | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Requests older than this id, exclusive. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

/** A request takes no longer than this until its message has an id. */
const acceptMaxMs = 10_000;

/** Reads of the request log. */
@Injectable()
export class RequestReads {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  list(filter: RequestFilter): Promise<RequestRecord[]> {
    const given = conditionsOf(filter);
    return sql.listRequests.of(given).rows(this.dataSource, given);
  }

  /**
   * The request that a message was made by; null where it is not in the log. No index leads there, because every request
   * would pay for it: the ids of both have their time, and the API makes that of the message while the request is there.
   */
  async madeBy(message: {
    readonly id: string;
    readonly apiKeyId: string;
  }): Promise<string | null> {
    const madeAt = timeOfId(message.id);
    const row = await sql.findRequestOfMessage.row(this.dataSource, {
      apiKeyId: message.apiKeyId,
      firstId: firstIdAt(madeAt - acceptMaxMs),
      endId: firstIdAt(madeAt + 1),
      messageId: message.id,
    });
    return row?.id ?? null;
  }

  /** How many rows there are, up to the limit. */
  async count(filter: RequestFilter): Promise<number> {
    const given = conditionsOf(filter);
    const row = await sql.countRequests.of(given).row(this.dataSource, given);
    return row?.count ?? 0;
  }
}

/** @param time up to the year 9999; an id has room for more. */
const idAt = (time: Date | undefined) => time && firstIdAt(Math.max(0, time.getTime()));

function conditionsOf({ accountIds, statuses, from, to, ...others }: RequestFilter) {
  return {
    ...others,
    // One account is read in the order of its index; of several, each row is looked at.
    ...(accountIds?.length === 1 ? { accountId: accountIds[0] } : { accountIds }),
    statusFrom: statuses?.[0],
    statusTo: statuses?.[1],
    firstId: idAt(from),
    endId: idAt(to),
  };
}
