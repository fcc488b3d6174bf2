import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Refuses } from '../http/route.decorators.js';
import {
  NotificationListDto,
  type PlatformNotificationAnswerDto,
  type PlatformNotificationDetailDto,
  type PlatformNotificationsDto,
} from './failed-events.dto.js';
import { FailedEventsService } from './failed-events.service.js';

/** Events of the platform that could not be processed. */
@Controller('api/v1/dashboard/notifications')
@RequireRole('administrator')
export class NotificationsController {
  constructor(private readonly failedEvents: FailedEventsService) {}

  /** Lists events, the newest first; those set aside unless `state` says otherwise. */
  @Get()
  list(
    @SignedIn() user: SignedInUser,
    @Query() filter: NotificationListDto,
  ): Promise<PlatformNotificationsDto> {
    return this.failedEvents.list(user, filter);
  }

  /** One event with its request. */
  @Get(':id')
  getNotification(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<PlatformNotificationDetailDto> {
    return this.failedEvents.get(user, id);
  }

  /** Tries one again. */
  @Post(':id/retry')
  @Refuses('CONFLICT')
  async retry(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<PlatformNotificationAnswerDto> {
    return { notification: await this.failedEvents.retry(user, id) };
  }
}
