import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dayMs, hourMs } from '#libs/durations';
import { accountScope, type SignedInUser } from '../../access/signed-in-user.js';
import type { AccountModeQueryDto } from '../../api-keys/api-keys.dto.js';
import { firstIdAt, idAround } from '../../database/ids.js';
import type { EndpointStandingDto } from './endpoint-health.dto.js';
import * as sql from './endpoint-health.statements.js';

const endpointsMax = 200;

/** The figures of an endpoint cover this many deliveries. */
const sampleMax = 1_000;

/** The most deliveries that are searched for what a failing or disabled endpoint missed. */
const missedMax = 10_000;

/** All endpoints that a user may see, and how they do. */
@Injectable()
export class EndpointHealthList {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws AppError NOT_FOUND for another account */
  async list(
    user: SignedInUser,
    { account_id: asked, mode }: AccountModeQueryDto,
  ): Promise<EndpointStandingDto[]> {
    const dayAgo = Date.now() - dayMs;
    const rows = await sql.listStandings.rows(this.dataSource, {
      accountId: accountScope(user, asked),
      limit: endpointsMax,
      mode,
    });
    const endpoints = rows.map(({ failing_since: failingSince, ...endpoint }) => {
      const isSick = endpoint.health !== 'healthy';
      const began = (isSick && (failingSince ?? endpoint.since)?.getTime()) || Date.now();
      return {
        endpoint,
        isSick,
        troubleFrom: Math.min(began, dayAgo),
        // The event whose failure was the first may have waited for a while.
        missedSince: Math.min(began - hourMs, dayAgo),
      };
    });
    const counted = await sql.countFigures.rows(this.dataSource, {
      ids: endpoints.map(({ endpoint }) => endpoint.endpoint_id),
      missedSince: endpoints.map((each) => new Date(each.missedSince)),
      missedFrom: endpoints.map((each) => idAround(each.missedSince, -1)),
      troubleFrom: endpoints.map(({ troubleFrom }) => firstIdAt(troubleFrom)),
      areSick: endpoints.map(({ isSick }) => isSick),
      firstId: firstIdAt(dayAgo),
      sampleMax,
      missedMax,
    });
    const byId = new Map(counted.map((each) => [each.endpoint_id, each]));
    return endpoints.flatMap(({ endpoint, isSick, missedSince: from }) => {
      const row = byId.get(endpoint.endpoint_id);
      if (!row) return [];
      const { looked_at: lookedAt, ...known } = row;
      return {
        ...endpoint,
        ...known,
        missed_is_exact: lookedAt < (isSick ? missedMax : sampleMax),
        missed_since: new Date(from),
      };
    });
  }
}
