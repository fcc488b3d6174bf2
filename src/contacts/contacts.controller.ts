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

  /** Lists the WhatsApp users that the account knows, newest first. A number or a user id narrows the list. */
  @Get()
  @RequirePermission('manage_contacts')
  list(@Caller() caller: Principal, @Query() filter: ContactListDto): Promise<ContactsDto> {
    return this.contacts.list(filter, caller);
  }

  /**
   * Whether free-form messages reach a user now. `unknown` means that they may have written without Parley knowing:
   * notifications have come for less than 24 hours, are late, or could not be delivered to Parley in the last hour.
   */
  @Get('window')
  @RequirePermission('view_messages')
  getContactWindow(
    @Caller() caller: Principal,
    @Query() user: UserIdsDto,
  ): Promise<ContactWindowDto> {
    return this.contacts.window(user, caller);
  }

  /** One contact. The id of a merged contact returns the contact that it was merged into. */
  @Get(':id')
  @Refuses('NOT_FOUND')
  @RequirePermission('manage_contacts')
  get(@Caller() caller: Principal, @Param('id') id: string): Promise<ContactAnswerDto> {
    return this.contacts.get(id, caller);
  }
}
