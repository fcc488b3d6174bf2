import { Injectable } from '@nestjs/common';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { OutcomeCounts } from '../outcomes/outcome-counts.js';
import { medianOf } from '../outcomes/outcomes.js';
import { type OutcomesDto, type OutcomesQueryDto, outcomeRanges } from './outcomes.dto.js';

/** What became of messages, as the first page shows it. */
@Injectable()
export class OutcomesService {
  constructor(private readonly counts: OutcomeCounts) {}

  /** @throws AppError NOT_FOUND for another account */
  async get(
    user: SignedInUser,
    { range, account_id: asked, mode }: OutcomesQueryDto,
  ): Promise<OutcomesDto> {
    const counted = await this.counts.since(
      Date.now() - outcomeRanges[range],
      accountScope(user, asked),
      mode,
    );
    return {
      from: new Date(counted.fromMs),
      sent: counted.accepted,
      delivered: counted.delivered,
      read: counted.read,
      failed: counted.failed,
      concluded: counted.concluded,
      replies: counted.replies,
      median_delivery_ms: medianOf(counted.deliveryTimes),
      complete: counted.isComplete,
    };
  }
}
