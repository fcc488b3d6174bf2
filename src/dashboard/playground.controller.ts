import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { RequireRole } from '../auth/require-permission.decorator.js';
import { SignedIn, type SignedInUser } from '../auth/signed-in-user.js';
import type { Reply, Request } from '../http/request.js';
import { PlaygroundDto } from './playground.dto.js';
import { PlaygroundService } from './playground.service.js';

/** A place to try messages. */
@Controller('api/v1/dashboard/playground')
export class PlaygroundController {
  constructor(private readonly playground: PlaygroundService) {}

  /** Says whether a message is valid and what would go to WhatsApp, or sends it for real. */
  @Post()
  @RequireRole('administrator')
  run(
    @SignedIn() user: SignedInUser,
    @Body() given: PlaygroundDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    return this.playground.run(user, given, request, reply);
  }
}
