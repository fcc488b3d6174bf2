import { Injectable } from '@nestjs/common';
import { accountScope, type SignedInUser } from '../access/signed-in-user.js';
import { OutcomeCounts, type OutcomesOfTime } from '../outcomes/outcome-counts.js';
import { medianOf, type Outcomes } from '../outcomes/outcomes.js';
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
    const scope = { accountId: accountScope(user, asked), mode: mode ?? null };
    const { stepMs, steps } = outcomeRanges[range];
    const now = await this.counts.since(stepMs, steps, scope);
    const before = await this.counts.before(now.fromMs, stepMs, steps, scope);
    return {
      ...viewOfTime(now),
      complete: now.isComplete,
      before: before.isComplete ? viewOfTime(before) : null,
    };
  }
}

const viewOfTime = (time: OutcomesOfTime) => ({
  ...viewOf(time.fromMs, time),
  median_delivery_ms: medianOf(time.deliveryTimes),
  steps: time.steps.map((step) => viewOf(step.atMs, step)),
});

const viewOf = (fromMs: number, outcomes: Outcomes) => ({
  from: new Date(fromMs),
  sent: outcomes.accepted,
  delivered: outcomes.delivered,
  read: outcomes.read,
  failed: outcomes.failed,
  concluded: outcomes.concluded,
  replies: outcomes.replies,
});
