import { Injectable } from '@nestjs/common';
import { timeOfId } from '../../database/ids.js';
import { requestIdOf } from '../../request-log/logged-request.js';
import { RequestReads } from '../../request-log/request-reads.js';
import type { SearchResultDto } from './search.dto.js';
import type { SearchScope } from './search-scope.js';

/** Finds requests by the id that callers know. */
@Injectable()
export class RequestSearch {
  constructor(private readonly requests: RequestReads) {}

  /** @param id as it is stored; null for a text that is none. */
  async find(id: string | null, scope: SearchScope): Promise<SearchResultDto[]> {
    if (id === null) return [];
    const found = await this.requests.list({ accountIds: scope.accountIds, id, limit: 1 });
    return found.map(({ accountId, apiKeyName, method, mode, route, status, code }) => {
      const requestId = requestIdOf(id);
      return {
        kind: 'request',
        id: requestId,
        title: `${method} ${route}`,
        subtitle: scope.subtitle(
          accountId ?? '',
          `Request, answered with ${[status, code].filter(Boolean).join(' ')}`,
          apiKeyName,
        ),
        mode,
        at: new Date(timeOfId(id)),
        href: `/dashboard/requests?request_id=${requestId}`,
      };
    });
  }
}
