import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { RequireRole } from '../../access/require-permission.decorator.js';
import { SignedIn } from '../../access/signed-in.decorator.js';
import type { SignedInUser } from '../../access/signed-in-user.js';
import {
  NewTemplateMappingDto,
  type TemplateMappingAnswerDto,
  type TemplateMappingsDto,
} from './template-mappings.dto.js';
import { TemplateMappingsService } from './template-mappings.service.js';

/** Which templates a key can send with named variables. */
@Controller('api/v1/dashboard/api-keys/:id/template-mappings')
@RequireRole('administrator')
export class TemplateMappingsController {
  constructor(private readonly mappings: TemplateMappingsService) {}

  /** All mappings of a key. */
  @Get()
  async list(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
  ): Promise<TemplateMappingsDto> {
    return { template_mappings: await this.mappings.list(user, id) };
  }

  /** Stores the key's mapping for a template; it applies from the next request on. */
  @Put(':template_id')
  async put(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Param('template_id') templateId: string,
    @Body() given: NewTemplateMappingDto,
  ): Promise<TemplateMappingAnswerDto> {
    const mapping = await this.mappings.put(user, id, templateId, given.variables);
    return { template_mapping: mapping };
  }

  /** Deletes the key's mapping for a template. */
  @Delete(':template_id')
  delete(
    @SignedIn() user: SignedInUser,
    @Param('id') id: string,
    @Param('template_id') templateId: string,
  ): Promise<object> {
    return this.mappings.delete(user, id, templateId);
  }
}
