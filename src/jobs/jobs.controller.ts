import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import { Refuses } from '../http/route.decorators.js';
import {
  type JobAnswerDto,
  JobListDto,
  type JobPreviewDto,
  type JobResultDto,
  type JobsDto,
  NewJobDto,
} from './jobs.dto.js';
import { JobsService } from './jobs.service.js';

/** What people have done to everything that matches a filter, while they look at something else. */
@Controller('api/v1/dashboard/jobs')
@RequireRole('administrator')
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  /** Begins a job. */
  @Post()
  @HttpCode(200)
  @Refuses('NOT_FOUND')
  async createJob(@SignedIn() user: SignedInUser, @Body() given: NewJobDto): Promise<JobAnswerDto> {
    return { job: await this.jobs.create(user, given) };
  }

  /** Counts what a job would be about, and begins none. */
  @Post('preview')
  @HttpCode(200)
  @Refuses('NOT_FOUND')
  previewJob(@SignedIn() user: SignedInUser, @Body() given: NewJobDto): Promise<JobPreviewDto> {
    return this.jobs.preview(user, given);
  }

  /** Lists jobs, the newest first. */
  @Get()
  listJobs(@SignedIn() user: SignedInUser, @Query() filter: JobListDto): Promise<JobsDto> {
    return this.jobs.list(user, filter);
  }

  /** One job, how far it is, and what became of the events that it has delivered again. */
  @Get(':id')
  @Refuses('NOT_FOUND')
  getJob(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<JobResultDto> {
    return this.jobs.result(user, id);
  }

  /** Stops a job. What it has done stays. Asking again changes nothing. */
  @Post(':id/stop')
  @HttpCode(200)
  @Refuses('NOT_FOUND')
  async stopJob(@SignedIn() user: SignedInUser, @Param('id') id: string): Promise<JobAnswerDto> {
    return { job: await this.jobs.stop(user, id) };
  }
}
