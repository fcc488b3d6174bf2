import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt, timeOfId } from '../database/ids.js';
import type { LoggedRequest } from './logged-request.js';

/** A request as it is read, with the name of its key and whether its body is kept. */
export interface RequestRecord extends LoggedRequest {
  readonly apiKeyName: string | null;
  /** Null: its body is not kept. */
  readonly bodyKeptUntil: Date | null;
}

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
    const { conditions, parameters, limit } = whereOf(filter);
    return this.dataSource.query(
      `select r.id, r.account_id as "accountId", r.api_key_id as "apiKeyId", k.name as "apiKeyName", r.mode, r.method,
         r.route, r.status, r.code, r.fields, r.address, r.latency_ms as "latencyMs", r.message_id as "messageId", r.calls,
         b.expires_at as "bodyKeptUntil"
       from (select * from request_log where ${conditions} order by id desc limit ${limit}) r
       left join api_keys k on k.id = r.api_key_id
       left join request_bodies b on b.request_id = r.id and b.expires_at > now()
       order by r.id desc`,
      parameters,
    );
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
    const [row]: { id: string }[] = await this.dataSource.query(
      // A repeated send has the same message. The first made it.
      `select id from request_log
       where api_key_id = $1 and id >= $2 and id < $3 and message_id = $4 order by id limit 1`,
      [message.apiKeyId, firstIdAt(madeAt - acceptMaxMs), firstIdAt(madeAt + 1), message.id],
    );
    return row?.id ?? null;
  }

  /** How many rows there are, up to the limit. */
  async count(filter: RequestFilter): Promise<number> {
    const { conditions, parameters, limit } = whereOf(filter);
    const [row]: { count: number }[] = await this.dataSource.query(
      `select count(*)::int as count from (
         select from request_log where ${conditions} order by id desc limit ${limit}) r`,
      parameters,
    );
    return row?.count ?? 0;
  }
}

/** @param time up to the year 9999; an id has room for more. */
const idAt = (time: Date | undefined) => time && firstIdAt(Math.max(0, time.getTime()));

/** The conditions of a list, and the parameter that bounds it. */
function whereOf(filter: RequestFilter): {
  conditions: string;
  parameters: unknown[];
  limit: string;
} {
  const parameters: unknown[] = [];
  const conditions = ['true'];
  const where = (condition: string, value: unknown) => {
    if (value === undefined || value === null) return;
    parameters.push(value);
    conditions.push(condition.replace('?', `$${parameters.length}`));
  };
  const { accountIds } = filter;
  // One account is read in the order of its index; of several, each row is looked at.
  if (accountIds?.length === 1) where('account_id = ?', accountIds[0]);
  else where('account_id = any (?::uuid[])', accountIds);
  where('id = ? and api_key_id is not null', filter.id);
  where('api_key_id = ?', filter.apiKeyId);
  where('mode = ?', filter.mode);
  where('status >= ?', filter.statuses?.[0]);
  where('status <= ?', filter.statuses?.[1]);
  where('code = ?', filter.code);
  where('route = ?', filter.route);
  where('address = any (?::text[])', filter.addresses);
  if (filter.isRefused !== undefined) {
    conditions.push(filter.isRefused ? 'code is not null' : 'code is null');
  }
  where('id >= ?', idAt(filter.from));
  where('id < ?', idAt(filter.to));
  where('id < ?', filter.beforeId);
  parameters.push(filter.limit);
  return {
    conditions: conditions.join(' and '),
    parameters,
    limit: `$${parameters.length}`,
  };
}
