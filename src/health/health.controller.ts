import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { Public } from '../access/require-permission.decorator.js';
import { version } from '../config/version.js';
import { Bare } from '../http/envelope.js';
import { isFromThisMachine, PRIVATE_PORT } from '../http/private-port.js';
import type { Reply, Request } from '../http/request.js';
import { AnswersBare } from '../http/route.decorators.js';
import { LivenessDto, ReadinessDto } from './health.dto.js';
import { HealthService } from './health.service.js';

/** The token for whether the process of the health routes needs Redis. */
export const NEEDS_REDIS = Symbol('needs-redis');

/** For load balancers and supervisors; reveals no addresses, and the version to operators alone. */
@Controller('health')
@Public()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    @Inject(NEEDS_REDIS) private readonly needsRedis: boolean,
    @Inject(PRIVATE_PORT) private readonly isPrivate: boolean,
  ) {}

  /** Whether the process answers. Its stores do not count: a restart would not bring them back. */
  @Get('live')
  @AnswersBare({ 200: { description: 'It answers.', type: LivenessDto } })
  getLiveness(@Req() request: Request, @Res() reply: Reply): void {
    const isTold = this.isPrivate || isFromThisMachine(request);
    reply.status(200).send(new Bare({ status: 'ok', ...(isTold && { version }) }));
  }

  /** Whether the process can do its work: 200, or 503 with what is missing. */
  @Get('ready')
  @AnswersBare({
    200: { description: 'It can do its work.', type: ReadinessDto },
    503: { description: 'Something is missing.', type: ReadinessDto },
  })
  async getReadiness(@Res() reply: Reply): Promise<void> {
    const { isReady, checks } = await this.health.readiness(this.needsRedis);
    const status = isReady ? 'ok' : 'unavailable';
    reply.status(isReady ? 200 : 503).send(new Bare({ status, ...checks }));
  }
}
