import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import type { Reply, Request } from '../http/request.js';
import { AnswersOneOf, Refuses } from '../http/route.decorators.js';
import { SentMessageDto, SentTemplateDto } from '../messages/message-answers.dto.js';
import { PlaygroundDto, SimulatedMessageDto } from './playground.dto.js';
import { PlaygroundService } from './playground.service.js';

/** A place to try messages. */
@Controller('api/v1/dashboard/playground')
export class PlaygroundController {
  constructor(private readonly playground: PlaygroundService) {}

  /** Says whether a message is valid and what would go to WhatsApp, or sends it for real. Viewers take a test key. */
  @Post()
  @RequireRole('viewer')
  @AnswersOneOf(SimulatedMessageDto, SentTemplateDto, SentMessageDto)
  @Refuses(
    'NOT_FOUND',
    'INVALID_API_KEY',
    'EXPIRED_API_KEY',
    'REVOKED_API_KEY',
    'SUSPENDED_API_KEY',
    'PERMISSION_DENIED',
    'ACCOUNT_NOT_ACTIVE',
    'RATE_LIMIT_EXCEEDED',
    'DAILY_LIMIT_EXCEEDED',
    'INVALID_PHONE_NUMBER',
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_CONFIGURED',
    'INVALID_TEMPLATE_PARAMS',
    'MISSING_REQUIRED_VARIABLE',
    'RECIPIENT_NOT_SUPPORTED',
    'RECIPIENT_OPTED_OUT',
    'WINDOW_CLOSED',
    'MESSAGE_SEND_FAILED',
    { code: 'MESSAGE_SEND_FAILED', status: 500 },
  )
  run(
    @SignedIn() user: SignedInUser,
    @Body() given: PlaygroundDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    return this.playground.sendExample(user, given, request, reply);
  }
}
