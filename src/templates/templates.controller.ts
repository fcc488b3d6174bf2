import { Controller, Get, Query } from '@nestjs/common';
import { Caller } from '../access/caller.decorator.js';
import type { Principal } from '../access/principal.js';
import { RequirePermission } from '../access/require-permission.decorator.js';
import type { TemplatesDto } from './template-answers.dto.js';
import { TemplateListDto } from './template-list.dto.js';
import { TemplatesService } from './templates.service.js';

/** Reads of templates. */
@Controller('api/v1/external/templates')
export class TemplatesController {
  constructor(private readonly templates: TemplatesService) {}

  /** Lists the templates of the account, by name and language. */
  @Get()
  @RequirePermission('view_templates')
  list(@Caller() caller: Principal, @Query() filter: TemplateListDto): Promise<TemplatesDto> {
    return this.templates.list(caller, filter);
  }
}
