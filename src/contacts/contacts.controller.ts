import { Controller, Get, Param, Query } from '@nestjs/common';
import { Caller } from '../access/caller.decorator.js';
import type { Principal } from '../access/principal.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import { Refuses } from '../http/route.decorators.js';
import {
  type ContactAnswerDto,
  ContactListDto,
  type ContactsDto,
  type ContactWindowDto,
  UserIdsDto,
} from './contacts.dto.js';
import { ContactsService } from './contacts.service.js';

/** Reads of contacts. */
@Controller('api/v1/external/contacts')
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  /** Lists users of WhatsApp whom the account knows, newest first; with a number or a user id, those who match. */
  @Get()
  @RequirePermission('manage_contacts')
  list(@Caller() caller: Principal, @Query() filter: ContactListDto): Promise<ContactsDto> {
    return this.contacts.list(filter, caller);
  }

  /**
   * Whether free-form messages reach a user now. `unknown` means that they may have written without Parley hearing
   * of it: notifications have come for less than 24 hours, are late, or found nobody in the last hour.
   */
  @Get('window')
  @RequirePermission('view_messages')
  window(@Caller() caller: Principal, @Query() user: UserIdsDto): Promise<ContactWindowDto> {
    return this.contacts.window(user, caller);
  }

  /** One contact; the id of one that was merged answers the contact that it was merged into. */
  @Get(':id')
  @Refuses('NOT_FOUND')
  @RequirePermission('manage_contacts')
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<ContactAnswerDto> {
    return this.contacts.get(id, caller);
  }
}
