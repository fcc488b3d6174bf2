import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { fitVariables } from './plan/mapped-variables.js';
import { compileTemplate } from './plan/template-plan.js';
import type { TemplateDto, TemplatesDto } from './template-answers.dto.js';
import type { TemplateListDto } from './template-list.dto.js';
import { type ListedTemplate, TemplateLists } from './template-lists.js';

/** Templates for callers of the external API. */
@Injectable()
export class TemplatesService {
  constructor(private readonly lists: TemplateLists) {}

  /** The templates of the key's account and mode. */
  async list(caller: Principal, filter: TemplateListDto): Promise<TemplatesDto> {
    const { templates, next_cursor } = await this.lists.page(caller, filter);
    return { templates: templates.map(templateView), next_cursor };
  }
}

function templateView(template: ListedTemplate): TemplateDto {
  const { name, language, category, status, parameter_format, components, configured } = template;
  return {
    name,
    language,
    category,
    status,
    parameter_format,
    components,
    configured,
    variables: configured ? variablesOf(template) : [],
  };
}

function variablesOf({ parameter_format, components, variables }: ListedTemplate) {
  const plan = compileTemplate({ parameterFormat: parameter_format, components });
  const { filling } = fitVariables(plan, variables ?? {});
  return (filling?.entries ?? []).flatMap(({ name, isRequired, slot }) =>
    name === null
      ? []
      : [{ name, required: isRequired, component: slot.component, example: slot.example }],
  );
}
