import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Caller } from '../../access/caller.decorator.js';
import type { Principal } from '../../access/principal.js';
import { RequirePermissionBeyondDay } from '../../access/require-permission.decorator.js';
import { Refuses } from '../../http/route.decorators.js';
import { type MarkedReadDto, ReadReceiptDto } from './read.dto.js';
import { ReadService } from './read.service.js';

/** What users see of you before you answer. */
@Controller('api/v1/external/messages/read')
export class ReadController {
  constructor(private readonly reads: ReadService) {}

  /**
   * Marks a user's message as read, and with `typing` shows that you are writing. It is tried once: nothing is queued or
   * stored. It takes no unit of the day, and counts toward the pace of the number.
   */
  @Post()
  @HttpCode(200)
  @RequirePermissionBeyondDay('send_text')
  @Refuses('MESSAGE_SEND_FAILED', { code: 'MESSAGE_SEND_FAILED', status: 500 })
  markMessageRead(
    @Caller() caller: Principal,
    @Body() read: ReadReceiptDto,
  ): Promise<MarkedReadDto> {
    return this.reads.mark(caller, read);
  }
}
