import { Controller, Get, Res, UseGuards } from '@nestjs/common';
import { Public } from '../access/require-permission.decorator.js';
import type { Reply } from '../http/request.js';
import { AnswersBare, Refuses } from '../http/route.decorators.js';
import { Metrics } from './metrics.js';
import { MetricsAccessGuard } from './metrics-access.guard.js';

/** What this process counts, for Prometheus. */
@Controller('metrics')
@Public()
@UseGuards(MetricsAccessGuard)
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /**
   * The metrics of the process in Prometheus' text format. On `PORT`, the API answers them to its own machine
   * only, and to no request that a proxy has forwarded; on `METRICS_PORT`, to everybody.
   */
  @Get()
  @Refuses('NOT_FOUND')
  @AnswersBare({ 200: { description: 'The metrics.' } })
  async getMetrics(@Res() reply: Reply): Promise<void> {
    const text = await this.metrics.text();
    reply
      .header('content-type', this.metrics.contentType)
      .header('cache-control', 'no-store')
      .send(text);
  }
}
