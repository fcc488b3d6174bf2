import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../auth/require-permission.decorator.js';
import { SignedIn, type SignedInUser } from '../auth/signed-in-user.js';
import {
  type DeliveriesDto,
  type DeliveryAnswerDto,
  DeliveryListDto,
  RecoverDto,
} from '../webhooks/outbound/deliveries.dto.js';
import { DeliveriesService } from '../webhooks/outbound/deliveries.service.js';

/** What callers were told, and how that went. */
@Controller('api/v1/dashboard')
@RequireRole('administrator')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  /** Lists deliveries, the newest first. */
  @Get('webhook-deliveries')
  list(@SignedIn() user: SignedInUser, @Query() filter: DeliveryListDto): Promise<DeliveriesDto> {
    return this.deliveries.list(user, filter);
  }

  /** One delivery with its attempts and the body that they send. */
  @Get('webhook-deliveries/:id')
  get(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<DeliveryAnswerDto> {
    return this.deliveries.get(user, id);
  }

  /** Delivers an event once more, with the same id and bytes. */
  @Post('webhook-deliveries/:id/redeliver')
  redeliver(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<DeliveryAnswerDto> {
    return this.deliveries.redeliver(user, id);
  }

  /** Sends the key's webhook an event that says nothing but that it arrived. */
  @Post('api-keys/:id/webhook/test')
  test(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<DeliveryAnswerDto> {
    return this.deliveries.test(user, id);
  }

  /** Delivers what the key's webhook missed since a time. */
  @Post('api-keys/:id/webhook/recover')
  recover(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Body() given: RecoverDto,
  ): Promise<object> {
    return this.deliveries.recover(user, id, given.since);
  }
}
