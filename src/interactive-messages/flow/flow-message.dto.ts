import { IsIn, IsOptional, ValidateBy } from 'class-validator';
import { AnswerableDto } from '../../free-form/free-form.dto.js';
import {
  IsObjectOf,
  IsText,
  isGiven,
  NotTogetherWith,
  RequiredWithout,
} from '../../http/validation/rules.js';
import { MessageHeaderDto } from '../message-header.dto.js';

const modes = ['draft', 'published'] as const;
const actions = ['navigate', 'data_exchange'] as const;

/** A flow that begins with an exchange of data gets its first screen from your server. */
const IsForNavigation = () =>
  ValidateBy({
    name: 'isForNavigation',
    validator: {
      validate: (value: unknown, args) =>
        !isGiven(value) || (args?.object as FlowDto | undefined)?.action !== 'data_exchange',
      defaultMessage: () => 'is not allowed with the action data_exchange',
    },
  });

/** What the first screen shows. */
const IsScreenData = () =>
  ValidateBy({
    name: 'isScreenData',
    validator: {
      validate: (value: unknown, args) => screenDataFault(value, args?.object as FlowDto) === null,
      defaultMessage: (args) =>
        screenDataFault(args?.value, args?.object as FlowDto) ?? 'is not valid',
    },
  });

function screenDataFault(value: unknown, { screen }: FlowDto): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object';
  if (Object.keys(value).length === 0) return 'must not be empty; leave it out';
  return isGiven(screen) ? null : 'needs a screen';
}

/** Which flow, and how it begins. */
export class FlowDto {
  /** WhatsApp's id of the flow. Required without `name`. */
  @RequiredWithout('name')
  @IsText(128)
  id?: string | null;

  /** The name of the flow, instead of its id. */
  @IsOptional()
  @IsText(200)
  @NotTogetherWith('id')
  name?: string | null;

  /** The text on the button, at most 20 characters. */
  @IsText(20)
  cta: string;

  /** `draft` sends a flow that is not published, for testing. Default: published. */
  @IsOptional()
  @IsIn(modes, { message: `must be one of ${modes.join(', ')}` })
  mode?: (typeof modes)[number] | null;

  /** `navigate` (default) begins with a screen, `data_exchange` asks your server for it. */
  @IsOptional()
  @IsIn(actions, { message: `must be one of ${actions.join(', ')}` })
  action?: (typeof actions)[number] | null;

  /** The id of the first screen; without it, the flow's own first one. Not with `data_exchange`. */
  @IsOptional()
  @IsText(200)
  @IsForNavigation()
  screen?: string | null;

  /** What the first screen gets; needs `screen`. */
  @IsOptional()
  @IsScreenData()
  @IsForNavigation()
  data?: Record<string, unknown> | null;
}

/** A message with a button that opens a flow: a form within WhatsApp. */
export class FlowMessageDto extends AnswerableDto {
  @IsOptional()
  @IsObjectOf(() => MessageHeaderDto)
  header?: MessageHeaderDto | null;

  /** At most 1,024 characters. */
  @IsText(1_024)
  body: string;

  /** At most 60 characters. */
  @IsOptional()
  @IsText(60)
  footer?: string | null;

  @IsObjectOf(() => FlowDto)
  flow: FlowDto;
}
