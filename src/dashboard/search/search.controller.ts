import { Controller, Get, Query } from '@nestjs/common';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { SignedIn } from '../../access/signed-in.decorator.js';
import type { SignedInUser } from '../../access/signed-in-user.js';
import { Refuses } from '../../http/route.decorators.js';
import { SearchQueryDto, type SearchResultsDto } from './search.dto.js';
import { SearchService } from './search.service.js';

/** What the user may see, in one search; operators search all accounts. */
@Controller('api/v1/dashboard/search')
@RequireRole('administrator')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  /** Finds pages, contacts, messages, events, requests, API keys and templates. */
  @Get()
  @Refuses('NOT_FOUND')
  searchEverywhere(
    @SignedIn() user: SignedInUser,
    @Query() query: SearchQueryDto,
  ): Promise<SearchResultsDto> {
    return this.service.search(user, query);
  }
}
