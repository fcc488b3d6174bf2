import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { SignedIn } from '../../access/signed-in.decorator.js';
import type { SignedInUser } from '../../access/signed-in-user.js';
import { Refuses } from '../../http/route.decorators.js';
import { type ChecklistDto, RegistrationDto } from './checklist.dto.js';
import { ChecklistService } from './checklist.service.js';

/** What accounts need before they go live. */
@Controller('api/v1/dashboard/accounts')
@RequireRole('operator')
export class ChecklistController {
  constructor(private readonly checklist: ChecklistService) {}

  /** Checks what the account needs, at WhatsApp and here. */
  @Get(':id/checklist')
  readChecklist(@Param('id') id: string): Promise<ChecklistDto> {
    return this.checklist.read(id);
  }

  /** Subscribes the app to the account's WhatsApp business account, so that its webhooks arrive. */
  @Post(':id/subscribe')
  @Refuses('PLATFORM_REFUSED')
  subscribeApp(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<ChecklistDto> {
    return this.checklist.subscribe(id, user.actor);
  }

  /** Registers the account's number for the Cloud API, so that it can send. */
  @Post(':id/register')
  @Refuses('PLATFORM_REFUSED')
  registerNumber(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() { pin }: RegistrationDto,
  ): Promise<ChecklistDto> {
    return this.checklist.register(id, pin, user.actor);
  }
}
