import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Refuses } from '../http/route.decorators.js';
import { NewUserDto, type UserAnswerDto, UserChangeDto, type UsersDto } from './users.dto.js';
import { UsersService } from './users.service.js';

/** Users of the dashboard. */
@Controller('api/v1/dashboard/users')
@RequireRole('operator')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /** All users. */
  @Get()
  async list(): Promise<UsersDto> {
    return { users: await this.users.list() };
  }

  /** Makes a user. */
  @Post()
  @Refuses('NAME_TAKEN')
  async create(@SignedIn() user: SignedInUser, @Body() given: NewUserDto): Promise<UserAnswerDto> {
    return { user: await this.users.create(given, user.actor) };
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
