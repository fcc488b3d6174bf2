import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Refuses } from '../http/route.decorators.js';
import {
  type SimulatorConversationDto,
  SimulatorConversationQueryDto,
  SimulatorEchoDto,
  SimulatorInboundDto,
  SimulatorMessagesDto,
  SimulatorNewUserIdDto,
  type SimulatorNumberAnswerDto,
  SimulatorNumberChangeDto,
  type SimulatorPhonesDto,
  SimulatorPhonesQueryDto,
  SimulatorReplyDto,
  type SimulatorUserAnswerDto,
  SimulatorUserChangeDto,
  SimulatorUserQueryDto,
} from './sandbox.dto.js';
import { SandboxService } from './sandbox.service.js';

/** The sandbox phone: what reached the simulator, and what its users answer. */
@Controller('api/v1/dashboard/simulator')
@RequireRole('viewer')
export class SandboxController {
  constructor(private readonly simulator: SandboxService) {}

  /** Lists what arrived, the oldest first. */
  @Get('messages')
  @Refuses('NOT_FOUND')
  listSimulatorMessages(
    @SignedIn() user: SignedInUser,
    @Query() query: SimulatorMessagesDto,
  ): Promise<object> {
    return this.simulator.messages(user, query);
  }

  /** Lists the phones that have a conversation, the latest first. */
  @Get('phones')
  @Refuses('NOT_FOUND')
  listSimulatorPhones(
    @SignedIn() user: SignedInUser,
    @Query() query: SimulatorPhonesQueryDto,
  ): Promise<SimulatorPhonesDto> {
    return this.simulator.phones(user, query);
  }

  /** One phone's conversation with the events about it. */
  @Get('conversation')
  @Refuses('NOT_FOUND')
  getSimulatorConversation(
    @SignedIn() user: SignedInUser,
    @Query() query: SimulatorConversationQueryDto,
  ): Promise<SimulatorConversationDto> {
    return this.simulator.conversation(user, query);
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

  /** The user writes a message that is not a reply. */
  @Post('inbound')
  @Refuses('NOT_FOUND')
  writeInSimulator(
    @SignedIn() user: SignedInUser,
    @Body() given: SimulatorInboundDto,
  ): Promise<object> {
    return this.simulator.inbound(user, given);
  }

  /** The owner of a business number writes, edits or takes back a message in the WhatsApp Business app. */
  @Post('echoes')
  @Refuses('NOT_FOUND')
  echoInSimulator(
    @SignedIn() user: SignedInUser,
    @Body() given: SimulatorEchoDto,
  ): Promise<object> {
    return this.simulator.echo(user, given);
  }

  /** Meta's own agent starts or stops answering for a business number. */
  @Put('number')
  @Refuses('NOT_FOUND')
  changeSimulatorNumber(
    @SignedIn() user: SignedInUser,
    @Body() given: SimulatorNumberChangeDto,
  ): Promise<SimulatorNumberAnswerDto> {
    return this.simulator.changeNumber(user, given);
  }

  /** Who has a phone, what they want from a business number, and whether its 24-hour window is open. */
  @Get('user')
  @Refuses('NOT_FOUND')
  getSimulatorUser(
    @SignedIn() user: SignedInUser,
    @Query() query: SimulatorUserQueryDto,
  ): Promise<SimulatorUserAnswerDto> {
    return this.simulator.userOf(user, query);
  }

  /** The user hides or shows the number, changes the username, or stops, resumes or signs up for marketing. */
  @Put('user')
  @Refuses('NOT_FOUND')
  changeSimulatorUser(
    @SignedIn() user: SignedInUser,
    @Body() given: SimulatorUserChangeDto,
  ): Promise<SimulatorUserAnswerDto> {
    return this.simulator.changeUser(user, given);
  }

  /** Gives the user a new user id, which the simulator reports to the business. */
  @Post('user/new-id')
  @Refuses('NOT_FOUND')
  renewSimulatorUserId(
    @SignedIn() user: SignedInUser,
    @Body() given: SimulatorNewUserIdDto,
  ): Promise<SimulatorUserAnswerDto> {
    return this.simulator.renewUserId(user, given);
  }
}
