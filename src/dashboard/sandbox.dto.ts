import { IsIn, IsInt, IsObject, IsOptional, Matches, Max, Min, ValidateIf } from 'class-validator';
import type { DeliveryAnswerDto } from '../deliveries/deliveries.dto.js';
import { ToInteger } from '../http/validation/page.dto.js';
import {
  IsFlag,
  IsIdOf,
  IsNumberFrom,
  IsObjectOf,
  IsPhoneNumber,
  IsText,
  NotTogetherWith,
  RequiredWithout,
} from '../http/validation/rules.js';

/** Which messages of the simulator to list; oldest first. */
export class SimulatorMessagesDto {
  /** The recipient in E.164 form. */
  @IsOptional()
  @IsPhoneNumber()
  to?: string;

  /** Only messages after this `sequence`. */
  @ToInteger(9)
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must be at least 0' })
  @Max(999_999_999, { message: 'must be at most 999999999' })
  after = 0;
}

/** A place that the user shares. */
export class SimulatorLocationDto {
  /** In degrees, -90 to 90. */
  @IsNumberFrom(-90, 90)
  latitude: number;

  /** In degrees, -180 to 180. */
  @IsNumberFrom(-180, 180)
  longitude: number;

  @IsOptional()
  @IsText(1_000)
  name?: string | null;

  @IsOptional()
  @IsText(1_000)
  address?: string | null;
}

/** A contact that the user shares. */
export class SimulatorContactDto {
  @IsText(1_000)
  name: string;

  /** In E.164 form. */
  @IsOptional()
  @IsPhoneNumber()
  phone?: string | null;
}

/** What the user does with a message: one of these. */
export class SimulatorReplyDto {
  @IsOptional()
  @IsText(256)
  button_id?: string | null;

  @IsOptional()
  @IsText(200)
  row_id?: string | null;

  @IsOptional()
  @IsText(4_096)
  text?: string | null;

  /** What the user fills in, if the message opens a flow. */
  @IsOptional()
  @IsObject({ message: 'must be an object' })
  flow?: Record<string, unknown> | null;

  @IsOptional()
  @IsObjectOf(() => SimulatorLocationDto)
  location?: SimulatorLocationDto | null;

  @IsOptional()
  @IsObjectOf(() => SimulatorContactDto)
  contact?: SimulatorContactDto | null;

  /** An emoji; the empty text takes the reaction back. */
  @IsOptional()
  @Matches(/^\S{0,64}$/u, { message: 'must be an emoji, or empty' })
  reaction?: string | null;
}

/** A message, and what it says from now on. */
export class SimulatorEditDto {
  /** WhatsApp's id of the message. */
  @IsText(512)
  original_message_id: string;

  @IsText(4_096)
  text: string;
}

/** A message that its sender takes back. */
export class SimulatorRevokeDto {
  /** WhatsApp's id of the message. */
  @IsText(512)
  original_message_id: string;
}

/** The ad that the user has clicked. */
export class SimulatorReferralDto {
  @IsOptional()
  @IsText(2_048)
  source_url?: string | null;

  /** The id of the ad. */
  @IsOptional()
  @IsText(256)
  source_id?: string | null;

  @IsOptional()
  @IsText(1_000)
  headline?: string | null;

  @IsOptional()
  @IsText(4_096)
  body?: string | null;

  /** The id of the click. */
  @IsOptional()
  @IsText(1_000)
  ctwa_clid?: string | null;
}

/** A message from a user that is not a reply. */
export class SimulatorInboundDto {
  /** The user's number in E.164 form. */
  @IsPhoneNumber()
  from: string;

  /** Required without `location`, `contact`, `voice`, `image`, `edit` and `revoke`. */
  @RequiredWithout('location', 'contact', 'voice', 'image', 'edit', 'revoke')
  @IsText(4_096)
  text?: string | null;

  @IsOptional()
  @IsObjectOf(() => SimulatorLocationDto)
  @NotTogetherWith('text')
  location?: SimulatorLocationDto | null;

  @IsOptional()
  @IsObjectOf(() => SimulatorContactDto)
  @NotTogetherWith('text')
  @NotTogetherWith('location')
  contact?: SimulatorContactDto | null;

  /** `true` sends a voice message. */
  @IsOptional()
  @IsIn([true], { message: 'must be true' })
  @NotTogetherWith('text')
  @NotTogetherWith('location')
  @NotTogetherWith('contact')
  voice?: true | null;

  /** `true` sends a picture, which the simulator makes. */
  @IsOptional()
  @IsIn([true], { message: 'must be true' })
  @NotTogetherWith('text')
  @NotTogetherWith('location')
  @NotTogetherWith('contact')
  @NotTogetherWith('voice')
  image?: true | null;

  /** The user edits what they wrote. */
  @IsOptional()
  @IsObjectOf(() => SimulatorEditDto)
  @NotTogetherWith('text')
  @NotTogetherWith('location')
  @NotTogetherWith('contact')
  @NotTogetherWith('voice')
  @NotTogetherWith('image')
  edit?: SimulatorEditDto | null;

  /** The user takes back what they wrote. */
  @IsOptional()
  @IsObjectOf(() => SimulatorRevokeDto)
  @NotTogetherWith('text')
  @NotTogetherWith('location')
  @NotTogetherWith('contact')
  @NotTogetherWith('voice')
  @NotTogetherWith('image')
  @NotTogetherWith('edit')
  revoke?: SimulatorRevokeDto | null;

  /** The message follows an ad. */
  @IsOptional()
  @IsObjectOf(() => SimulatorReferralDto)
  @NotTogetherWith('edit')
  @NotTogetherWith('revoke')
  referral?: SimulatorReferralDto | null;

  /** The business number; default: that of the account. */
  @IsOptional()
  @IsText(32)
  phone_number_id?: string | null;
}

/** What the owner of a business number does in the WhatsApp Business app: one of these. */
export class SimulatorEchoDto {
  /** The user's number in E.164 form. */
  @IsPhoneNumber()
  to: string;

  /** Required without `edit` and `revoke`. */
  @RequiredWithout('edit', 'revoke')
  @IsText(4_096)
  text?: string | null;

  /** The owner edits what they wrote there. */
  @IsOptional()
  @IsObjectOf(() => SimulatorEditDto)
  @NotTogetherWith('text')
  edit?: SimulatorEditDto | null;

  /** The owner takes back what they wrote there. */
  @IsOptional()
  @IsObjectOf(() => SimulatorRevokeDto)
  @NotTogetherWith('text')
  @NotTogetherWith('edit')
  revoke?: SimulatorRevokeDto | null;

  /** The business number; default: that of the account. */
  @IsOptional()
  @IsText(32)
  phone_number_id?: string | null;
}

/** Who answers users for a business number. */
export class SimulatorNumberChangeDto {
  /** The business number; default: that of the account. */
  @IsOptional()
  @IsText(32)
  phone_number_id?: string | null;

  /** Whether Meta's own agent answers. */
  @IsFlag()
  standby: boolean;
}

/** A business number of the simulator. */
export class SimulatorNumberDto {
  phone_number_id: string;
  /** Whether Meta's own agent answers. */
  standby: boolean;
}

/** One business number of the simulator. */
export class SimulatorNumberAnswerDto {
  number: SimulatorNumberDto;
}

/** Which user, and with which business number. */
export class SimulatorUserQueryDto {
  /** The user's number in E.164 form. */
  @IsPhoneNumber()
  phone: string;

  /** The business number; default: that of the account. */
  @IsOptional()
  @IsText(32)
  phone_number_id?: string | null;
}

/** A change of a user; absent fields stay as they are. */
export class SimulatorUserChangeDto extends SimulatorUserQueryDto {
  /** Null removes the username. */
  @IsOptional()
  @IsText(64)
  username?: string | null;

  /** Whether the number is hidden from businesses. */
  @ValidateIf((user: SimulatorUserChangeDto) => user.hides_phone !== undefined)
  @IsFlag()
  hides_phone?: boolean;

  /** Whether the user has stopped marketing from the business number. WhatsApp reports a change of it. */
  @ValidateIf((user: SimulatorUserChangeDto) => user.stopped_marketing !== undefined)
  @IsFlag()
  stopped_marketing?: boolean;

  /**
   * Whether the user has signed up for marketing from the business number. WhatsApp reports a sign-up. Who stops
   * marketing is no longer signed up.
   */
  @ValidateIf((user: SimulatorUserChangeDto) => user.signed_up !== undefined)
  @IsFlag()
  signed_up?: boolean;

  /** Whether only templates reach the user while the 24-hour window is closed. */
  @ValidateIf((user: SimulatorUserChangeDto) => user.enforces_window !== undefined)
  @IsFlag()
  enforces_window?: boolean;
}

/** The user who gets a new user id, and the business number that is told. */
export class SimulatorNewUserIdDto extends SimulatorUserQueryDto {}

/** Which account's phones: those that its number wrote to or heard from. */
export class SimulatorPhonesQueryDto {
  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;
}

/** Which conversation. */
export class SimulatorConversationQueryDto extends SimulatorPhonesQueryDto {
  /** The user's number in E.164 form. */
  @IsPhoneNumber()
  phone: string;
}

/** A user of the simulator. */
export class SimulatorUserDto {
  /** In E.164 form, even if it is hidden from businesses. */
  phone: string;
  user_id: string;
  username: string | null;
  hides_phone: boolean;
  /** Whether the user wants no marketing from the business number. */
  stopped_marketing: boolean;
  /** Whether the user has signed up for marketing from the business number. */
  signed_up: boolean;
  /** Whether Meta's own agent answers for the business number. */
  standby: boolean;
  /** Whether the user wrote to the business number within 24 hours. */
  window: 'open' | 'closed';
  /** Whether only templates arrive while the window is closed; always true if the simulator does so for all users. */
  enforces_window: boolean;
}

/** One user of the simulator. */
export class SimulatorUserAnswerDto {
  user: SimulatorUserDto;
}

/** A message in a conversation. */
export class SimulatorTurnDto {
  /** `out`: to the user; `in`: from the user. */
  direction: 'out' | 'in';
  /** WhatsApp's id of the message. */
  id: string;
  at: Date;
  /** The business number. */
  phone_number_id: string;
  type: string;
  /** How far it has come, for `out`. */
  status: string | null;
  /** Whether the business has marked it as read, for `in`. */
  is_read?: boolean;
  /** Whether the owner wrote it in the WhatsApp Business app, for `out`. */
  is_echo?: boolean;
  /** `out`: as it was sent; `in`: as the notification reported it. */
  message: Record<string, unknown>;
}

/** A phone that has a conversation. */
export class SimulatorPhoneDto {
  phone: string;
  last_at: Date;
  /** How many messages both sides have sent. */
  messages: number;
  last: SimulatorTurnDto;
}

/** Phones, the one with the newest message first. */
export class SimulatorPhonesDto {
  phones: SimulatorPhoneDto[];
}

/** A conversation, and the events about it. */
export class SimulatorConversationDto {
  phone: string;
  /** Oldest first. */
  messages: SimulatorTurnDto[];
  /** Until when the business is typing. */
  typing_until: Date | null;
  /** The account's latest deliveries of events about this phone's user, newest first. */
  deliveries: DeliveryAnswerDto[];
}
