import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Refuses } from '../http/route.decorators.js';
import { type AlertAnswerDto, AlertChangeDto, AlertListDto, type AlertsDto } from './alerts.dto.js';
import { AlertsService } from './alerts.service.js';

/** What needs attention in the user's account; operators see all. */
@Controller('api/v1/dashboard')
@RequireRole('administrator')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  /** Lists what needs attention. */
  @Get('alerts')
  async listAlerts(
    @SignedIn() user: SignedInUser,
    @Query() filter: AlertListDto,
  ): Promise<AlertsDto> {
    return { alerts: await this.alerts.list(user, filter) };
  }

  /** Says who takes care of an open alert, or until when it is muted. */
  @Patch('alerts/:id')
  @Refuses('CONFLICT')
  async updateAlert(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: AlertChangeDto,
  ): Promise<AlertAnswerDto> {
    return { alert: await this.alerts.update(user, id, given) };
  }

  /** Dismisses an alert; if its cause occurs again, so does the alert. */
  @Post('alerts/:id/resolve')
  async resolveAlert(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<AlertAnswerDto> {
    return { alert: await this.alerts.resolve(user, id) };
  }
}
