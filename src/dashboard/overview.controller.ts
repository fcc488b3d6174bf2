import { Controller, Get, Query } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { AccountModeQueryDto } from '../api-keys/api-keys.dto.js';
import { type OutcomesDto, OutcomesQueryDto } from './outcomes.dto.js';
import { OutcomesService } from './outcomes.service.js';
import type { OverviewDto } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

/** Activity in the user's account; operators see all accounts. */
@Controller('api/v1/dashboard')
@RequireRole('administrator')
export class OverviewController {
  constructor(
    private readonly overview: OverviewService,
    private readonly outcomes: OutcomesService,
  ) {}

  /** Totals. `mode` leaves the totals of keys, calls and mappings as they are, and narrows the rest. */
  @Get('overview')
  getOverview(
    @SignedIn() user: SignedInUser,
    @Query() query: AccountModeQueryDto,
  ): Promise<OverviewDto> {
    return this.overview.get(user, query);
  }

  /** What became of messages, and how many replies came. */
  @Get('outcomes')
  getOutcomes(
    @SignedIn() user: SignedInUser,
    @Query() query: OutcomesQueryDto,
  ): Promise<OutcomesDto> {
    return this.outcomes.get(user, query);
  }
}
