import { Body, Controller, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { SignedIn } from '../../access/signed-in.decorator.js';
import type { SignedInUser } from '../../access/signed-in-user.js';
import { importMaxBytes } from '../../consents/consents.controller.js';
import {
  ConsentImportDto,
  type ConsentImportedDto,
  type ConsentsDto,
} from '../../consents/consents.dto.js';
import type { ContactWindowDto } from '../../contacts/contacts.dto.js';
import type { Reply } from '../../http/request.js';
import { AnswersBare, Refuses } from '../../http/route.decorators.js';
import {
  ConsentOwnerDto,
  DashboardConsentDto,
  type DashboardContactAnswerDto,
  DashboardContactListDto,
  type DashboardContactsDto,
  DashboardWindowQueryDto,
} from './account-contacts.dto.js';
import { AccountContacts } from './account-contacts.service.js';

/** The contacts of the user's account; operators see all. */
@Controller('api/v1/dashboard/contacts')
@RequireRole('administrator')
export class AccountContactsController {
  constructor(private readonly contacts: AccountContacts) {}

  /** Lists contacts: who wrote last first, then those who never wrote, the newest first. */
  @Get()
  @Refuses('NOT_FOUND')
  listAccountContacts(
    @SignedIn() user: SignedInUser,
    @Query() filter: DashboardContactListDto,
  ): Promise<DashboardContactsDto> {
    return this.contacts.list(user, filter);
  }

  /** Whether messages that are no templates reach a user now. */
  @Get('window')
  @Refuses('NOT_FOUND')
  getAccountWindow(
    @SignedIn() user: SignedInUser,
    @Query() asked: DashboardWindowQueryDto,
  ): Promise<ContactWindowDto> {
    return this.contacts.window(user, asked);
  }

  /** The consents that count now, as a CSV file. An import takes the same columns. */
  @Get('consent/export')
  @Refuses('NOT_FOUND')
  @AnswersBare({
    200: {
      description: 'Columns: `phone,user_id,scope,state,source,evidence,said_at`.',
      mediaType: 'text/csv',
    },
  })
  exportConsents(
    @SignedIn() user: SignedInUser,
    @Query() owner: ConsentOwnerDto,
    @Res() reply: Reply,
  ): Promise<void> {
    return this.contacts.sendConsents(user, owner, reply);
  }

  /** Records up to 1,000 consents; the same rules as for callers of the API. */
  @Post('consent/import')
  @HttpCode(200)
  @Refuses('NOT_FOUND')
  @RouteConfig({ bodyMaxBytes: importMaxBytes })
  importConsents(
    @SignedIn() user: SignedInUser,
    @Query() owner: ConsentOwnerDto,
    @Body() consents: ConsentImportDto,
  ): Promise<ConsentImportedDto> {
    return this.contacts.importConsents(user, owner, consents);
  }

  /** A contact with its window, its consents and the latest messages to it. The id of a merged contact works too. */
  @Get(':id')
  @Refuses('NOT_FOUND')
  getAccountContact(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<DashboardContactAnswerDto> {
    return this.contacts.get(user, id);
  }

  /** Records that a contact has opted in or out. Queued templates that an opt-out covers fail at once. */
  @Put(':id/consent')
  @Refuses('NOT_FOUND')
  setConsent(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() consent: DashboardConsentDto,
  ): Promise<ConsentsDto> {
    return this.contacts.setConsent(user, id, consent);
  }
}
