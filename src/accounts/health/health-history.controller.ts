import { Controller, Get, Param, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { PageDto, pageOf } from '../../http/validation/page.dto.js';
import { AccountsService } from '../accounts.service.js';
import type { HealthChangeDto, HealthHistoryDto } from './health.dto.js';

/** How the health of numbers changed. */
@Controller('api/v1/dashboard/accounts')
@RequireRole('operator')
export class HealthHistoryController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly dataSource: DataSource,
  ) {}

  /** What changed of the account's number and token, the newest first; Parley keeps 100 changes. */
  @Get(':id/health-history')
  async listHealthHistory(
    @Param('id') id: string,
    @Query() { limit, cursor }: PageDto,
  ): Promise<HealthHistoryDto> {
    await this.accounts.get(id);
    const rows: HealthChangeDto[] = await this.dataSource.query(
      `select id, at, field, before, after from number_health_changes
       where account_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
      [id, cursor ?? null, limit + 1],
    );
    const { page, next_cursor } = pageOf(rows, limit);
    return { changes: page, next_cursor };
  }
}
