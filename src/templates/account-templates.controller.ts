import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { RequireRole } from '../access/require-permission.decorator.js';
import { SignedIn } from '../access/signed-in.decorator.js';
import type { SignedInUser } from '../access/signed-in-user.js';
import type {
  DashboardTemplateAnswerDto,
  DashboardTemplatesDto,
  TemplateSyncsDto,
} from './template-answers.dto.js';
import { DashboardTemplateListDto, TemplateScopeDto } from './template-list.dto.js';
import { TemplatesService } from './templates.service.js';

/** Templates of the user's account; operators see all. */
@Controller('api/v1/dashboard/templates')
@RequireRole('administrator')
export class DashboardTemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  /** Lists templates by name and language, with the state of their syncs. */
  @Get()
  list(
    @SignedIn() user: SignedInUser,
    @Query() filter: DashboardTemplateListDto,
  ): Promise<DashboardTemplatesDto> {
    return this.templates.listFor(user, filter);
  }

  /** One template, and the keys that have mapped it. */
  @Get(':id')
  getTemplate(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<DashboardTemplateAnswerDto> {
    return this.templates.get(user, id);
  }

  /**
   * Reads all templates from WhatsApp, or joins the sync in progress; answers when it is done. The scope may be in the
   * body or in the query; the body takes precedence.
   */
  @Post('sync')
  syncTemplates(
    @SignedIn() user: SignedInUser,
    @Body() given: TemplateScopeDto,
    @Query() query: TemplateScopeDto,
  ): Promise<TemplateSyncsDto> {
    return this.templates.syncNow(user, {
      account_id: given.account_id ?? query.account_id,
      mode: given.mode ?? query.mode,
    });
  }
}
