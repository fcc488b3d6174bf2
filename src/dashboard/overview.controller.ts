import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { AccountQueryDto } from '../api-keys/api-keys.dto.js';
import type { Reply, Request } from '../http/request.js';
import { Refuses } from '../http/route.decorators.js';
import { SentMessageDto } from '../messages/message-answers.dto.js';
import { type AlertAnswerDto, AlertListDto, type AlertsDto } from './alerts.dto.js';
import { AlertsService } from './alerts.service.js';
import { AuditEntriesService } from './audit-entries.service.js';
import { type AuditEntriesDto, AuditListDto } from './audit-log.dto.js';
import { DashboardMessagesService } from './dashboard-messages.service.js';
import { MessageResends } from './message-resends.service.js';
import {
  type DashboardMessageDetailDto,
  DashboardMessageListDto,
  type DashboardMessagesDto,
} from './messages.dto.js';
import type { OverviewDto } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

/** What is going on in the user's account; operators see all. */
@Controller('api/v1/dashboard')
@RequireRole('administrator')
export class OverviewController {
  constructor(
    private readonly overview: OverviewService,
    private readonly messages: DashboardMessagesService,
    private readonly resends: MessageResends,
    private readonly alerts: AlertsService,
    private readonly auditEntries: AuditEntriesService,
  ) {}

  /** Totals. */
  @Get('overview')
  getOverview(
    @SignedIn() user: SignedInUser,
    @Query() query: AccountQueryDto,
  ): Promise<OverviewDto> {
    return this.overview.get(user, query.account_id);
  }

  /** Lists messages, the newest first. */
  @Get('messages')
  listAccountMessages(
    @SignedIn() user: SignedInUser,
    @Query() filter: DashboardMessageListDto,
  ): Promise<DashboardMessagesDto> {
    return this.messages.list(user, filter);
  }

  /** One message with its timeline and the calls to WhatsApp. */
  @Get('messages/:uuid')
  @Refuses('MESSAGE_NOT_FOUND')
  getAccountMessage(
    @SignedIn() user: SignedInUser,
    @Param('uuid') uuid: string,
  ): Promise<DashboardMessageDetailDto> {
    return this.messages.get(user, uuid);
  }

  /** Sends a message that is unconfirmed or failed again, as a new one, once. */
  @Post('messages/:uuid/resend')
  @Refuses(
    'MESSAGE_NOT_FOUND',
    'CONFLICT',
    'EXPIRED_API_KEY',
    'REVOKED_API_KEY',
    'SUSPENDED_API_KEY',
    'INVALID_API_KEY',
    'PERMISSION_DENIED',
    'ACCOUNT_NOT_ACTIVE',
    'RATE_LIMIT_EXCEEDED',
    'DAILY_LIMIT_EXCEEDED',
    'MESSAGE_SEND_FAILED',
    { code: 'MESSAGE_SEND_FAILED', status: 500 },
  )
  resend(
    @SignedIn() user: SignedInUser,
    @Param('uuid') uuid: string,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<SentMessageDto> {
    return this.resends.resend(user, uuid, request, reply);
  }

  /** Lists what needs attention. */
  @Get('alerts')
  async listAlerts(
    @SignedIn() user: SignedInUser,
    @Query() filter: AlertListDto,
  ): Promise<AlertsDto> {
    return { alerts: await this.alerts.list(user, filter) };
  }

  /** Puts an alert aside. */
  @Post('alerts/:id/resolve')
  async resolveAlert(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<AlertAnswerDto> {
    return { alert: await this.alerts.resolve(user, id) };
  }

  /** Who did what, the newest first. */
  @Get('audit-log')
  @RequireRole('operator')
  listAuditLog(@Query() filter: AuditListDto): Promise<AuditEntriesDto> {
    return this.auditEntries.list(filter);
  }
}
