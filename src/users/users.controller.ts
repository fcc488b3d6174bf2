import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Config } from '../config/config.js';
import { Refuses } from '../http/route.decorators.js';
import { resetAddress } from './reset-links.js';
import {
  type NewUserAnswerDto,
  NewUserDto,
  type UserAnswerDto,
  UserChangeDto,
  type UsersDto,
} from './users.dto.js';
import { UsersService } from './users.service.js';

/** Users of the dashboard. */
@Controller('api/v1/dashboard/users')
@RequireRole('operator')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly config: Config,
  ) {}

  /** All users. */
  @Get()
  async list(): Promise<UsersDto> {
    return { users: await this.users.list() };
  }

  /**
   * Makes a user. Without `password` the answer has `invite_link`, once: the user sets a password there within 24 hours,
   * and cannot sign in before.
   */
  @Post()
  @Refuses('NAME_TAKEN')
  async create(
    @SignedIn() user: SignedInUser,
    @Body() given: NewUserDto,
  ): Promise<NewUserAnswerDto> {
    const { user: created, link } = await this.users.create(given, user.actor);
    if (!link) return { user: created };
    return {
      user: created,
      invite_link: resetAddress(this.config.apiUrl, link.token),
      invite_link_expires_at: link.expiresAt,
    };
  }

  /** Changes a user. One's own address and password take `current_password`. */
  @Patch(':id')
  @Refuses('NAME_TAKEN', 'CONFLICT', 'RATE_LIMIT_EXCEEDED')
  async update(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: UserChangeDto,
  ): Promise<UserAnswerDto> {
    return { user: await this.users.update(id, given, user) };
  }

  /** Deletes a user; the audit log keeps what they did. */
  @Delete(':id')
  @Refuses('CONFLICT')
  delete(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<object> {
    return this.users.delete(id, user.actor);
  }
}
