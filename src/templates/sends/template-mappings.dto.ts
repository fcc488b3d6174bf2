import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { findFaults } from '../../http/validation/compiled-rules.js';
import { codePoints, IsFlag, IsText, IsWholeNumber, isBlank } from '../../http/validation/rules.js';
import { itemRule } from '../../http/validation/violations.js';
import type { MappedVariable, MappedVariables } from '../plan/mapped-variables.js';
import { type TextType, textTypes } from '../plan/parameter-values.js';

const variablesMax = 100;
const nameMaxLength = 100;

const components = ['header', 'body', 'button'] as const;

/** Which parameter of the template a variable fills. */
export class MappedVariableDto implements MappedVariable {
  @IsIn(components, { message: `must be one of ${components.join(', ')}` })
  component: (typeof components)[number];

  /** From 1; a component with one parameter needs neither position nor name. */
  @IsOptional()
  @IsWholeNumber(1, 100)
  position?: number | null;

  /** In templates with named parameters. Of a flow button: flow_token or flow_action_data (a JSON object as text). */
  @IsOptional()
  @IsText(512)
  parameter_name?: string | null;

  /** From 0; for buttons only. */
  @IsOptional()
  @IsWholeNumber(0, 9)
  button_index?: number | null;

  /** How a parameter of the body is sent. Default: text. A currency's value is like "12.50 EUR". */
  @IsOptional()
  @IsIn(textTypes, { message: `must be one of ${textTypes.join(', ')}` })
  type?: TextType | null;

  /** A send without the variable is refused. A variable with a default is optional: answers have `false` for it. */
  @IsFlag()
  required: boolean;

  /** The value if a send gives none. At most 1,024 characters. */
  @IsOptional()
  @IsText(1_024)
  default?: string | null;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function faultsOf(value: unknown): Record<string, string> {
  if (!isMap(value) || Object.keys(value).length > variablesMax) return {};
  const faults: Record<string, string> = {};
  for (const [name, variable] of Object.entries(value)) {
    if (isBlank(name) || name !== name.trim() || codePoints(name) > nameMaxLength) {
      faults[name] =
        `must have a name of 1 to ${nameMaxLength} characters, without spaces around it`;
    } else if (!isMap(variable)) faults[name] = 'must be an object';
    else {
      for (const [path, fault] of Object.entries(findFaults(MappedVariableDto, variable))) {
        faults[`${name}.${path}`] = fault;
      }
    }
  }
  return faults;
}

function IsMappedVariables(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isMappedVariables',
      constraints: [variablesMax, nameMaxLength, MappedVariableDto],
      validator: {
        validate: (value: unknown) =>
          isMap(value) &&
          Object.keys(value).length <= variablesMax &&
          Object.keys(faultsOf(value)).length === 0,
        defaultMessage: () =>
          `must be an object of at most ${variablesMax} variables: name to parameter`,
      },
    },
    { context: itemRule(faultsOf) },
  );
}

/** A mapping of named variables onto a template. */
export class NewTemplateMappingDto {
  /** Variable name to the parameter that it fills. Every parameter that WhatsApp requires must be filled. */
  @IsMappedVariables()
  variables: MappedVariables;
}

/** A mapping of a key. */
export class TemplateMappingDto {
  template_id: string;
  template_name: string;
  language: string;
  /** The template's status at WhatsApp. */
  template_status: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(MappedVariableDto) },
  })
  variables: MappedVariables;
  /** Whether it no longer fits the template: sends answer TEMPLATE_NOT_CONFIGURED. */
  broken: boolean;
  /** Why it does not fit, or null. */
  broken_reason: string | null;
  created_at: Date;
  updated_at: Date;
}

/** One mapping. */
export class TemplateMappingAnswerDto {
  template_mapping: TemplateMappingDto;
}

/** All mappings of a key. */
export class TemplateMappingsDto {
  template_mappings: TemplateMappingDto[];
}
