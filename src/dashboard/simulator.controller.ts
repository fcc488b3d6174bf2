import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../auth/require-permission.decorator.js';
import { SignedIn, type SignedInUser } from '../auth/signed-in-user.js';
import { Refuses } from '../openapi/route.decorators.js';
import { SimulatorInboundDto, SimulatorMessagesDto, SimulatorReplyDto } from './simulator.dto.js';
import { SimulatorService } from './simulator.service.js';

/** The sandbox phone: what reached the simulator, and what its users answer. */
@Controller('api/v1/dashboard/simulator')
@RequireRole('administrator')
export class SimulatorController {
  constructor(private readonly simulator: SimulatorService) {}

  /** Lists what arrived, the oldest first. */
  @Get('messages')
  @Refuses('NOT_FOUND')
  listSimulatorMessages(
    @SignedIn() user: SignedInUser,
    @Query() query: SimulatorMessagesDto,
  ): Promise<object> {
    return this.simulator.messages(user, query);
  }

  /** The user taps what a message offers, or writes. */
  @Post('messages/:wamid/reply')
  replyInSimulator(
    @SignedIn() user: SignedInUser,
    @Param('wamid') wamid: string,
    @Body() given: SimulatorReplyDto,
  ): Promise<object> {
    return this.simulator.reply(user, wamid, given);
  }

  /** The user writes of their own accord. */
  @Post('inbound')
  @Refuses('NOT_FOUND')
  writeInSimulator(
    @SignedIn() user: SignedInUser,
    @Body() given: SimulatorInboundDto,
  ): Promise<object> {
    return this.simulator.inbound(user, given);
  }
}
