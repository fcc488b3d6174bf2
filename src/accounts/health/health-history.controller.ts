import { Controller, Get, Param, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { PageDto, pageOf } from '../../http/validation/page.dto.js';
import { AccountsService } from '../accounts.service.js';
import type { HealthHistoryDto } from './health.dto.js';
import * as sql from './number-health.statements.js';

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
    const rows = await sql.listHealthChanges.rows(this.dataSource, {
      accountId: id,
      cursor,
      limit: limit + 1,
    });
    const { page, next_cursor } = pageOf(rows, limit);
    return { changes: page, next_cursor };
  }
}
