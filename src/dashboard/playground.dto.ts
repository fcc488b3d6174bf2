import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { IsIdOf } from '../http/validation/rules.js';
import { playgroundTypeNames } from './playground-types.js';

const modes = ['simulate', 'send'] as const;

const isObject = () =>
  ValidateBy({
    name: 'isPlainObject',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' && value !== null && !Array.isArray(value),
      defaultMessage: (args) =>
        args?.value === undefined || args.value === null ? 'is required' : 'must be an object',
    },
  });

/** A message to be tried. */
export class PlaygroundDto {
  /** `simulate` (default) sends nothing; `send` sends for real. */
  @IsOptional()
  @IsIn(modes, { message: `must be one of ${modes.join(', ')}` })
  mode?: (typeof modes)[number] | null;

  /** The key whose permissions, account and quota apply. */
  @IsIdOf('an API key')
  api_key_id: string;

  @IsIn(playgroundTypeNames, { message: `must be one of ${playgroundTypeNames.join(', ')}` })
  type: string;

  /** The body that the type's own route takes. */
  @isObject()
  payload: object;
}

/** The result of simulating a valid message. */
export class SimulatedMessageDto {
  valid: boolean;
  /** Exactly what would go to WhatsApp. */
  platform_payload: Record<string, unknown>;
}
