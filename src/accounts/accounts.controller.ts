import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Refuses } from '../http/route.decorators.js';
import {
  type AccountAnswerDto,
  AccountChangeDto,
  type AccountsDto,
  NewAccountDto,
  type NumberCheckDto,
} from './accounts.dto.js';
import { AccountsService } from './accounts.service.js';

/** Accounts of the installation. */
@Controller('api/v1/dashboard/accounts')
@RequireRole('operator')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  /** All accounts. */
  @Get()
  async list(): Promise<AccountsDto> {
    return { accounts: await this.accounts.list() };
  }

  /** Makes an account. */
  @Post()
  @Refuses('NAME_TAKEN')
  async create(
    @SignedIn() user: SignedInUser,
    @Body() given: NewAccountDto,
  ): Promise<AccountAnswerDto> {
    return { account: await this.accounts.create(given, user.actor) };
  }

  /** One account. */
  @Get(':id')
  async get(@Param('id') id: string): Promise<AccountAnswerDto> {
    return { account: await this.accounts.get(id) };
  }

  /** Changes an account. */
  @Patch(':id')
  @Refuses('NAME_TAKEN')
  async update(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: AccountChangeDto,
  ): Promise<AccountAnswerDto> {
    return { account: await this.accounts.update(id, given, user.actor) };
  }

  /** Asks WhatsApp for the health of the account's number, and keeps what it says. */
  @Post(':id/check')
  check(@Param('id') id: string): Promise<NumberCheckDto> {
    return this.accounts.check(id);
  }

  /** Ends the hold on the account's number. */
  @Post(':id/resume')
  async resume(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<AccountAnswerDto> {
    return { account: await this.accounts.resume(id, user.actor) };
  }
}
