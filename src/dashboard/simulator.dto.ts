import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { IsPhoneNumber, IsText } from '../http/rules.js';

const toInteger = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
);

/** Which messages of the simulator to list; oldest first. */
export class SimulatorMessagesDto {
  /** The recipient in E.164 form. */
  @IsOptional()
  @IsPhoneNumber()
  to?: string;

  /** Only messages after this `sequence`. */
  @toInteger
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must be at least 0' })
  @Max(999_999_999, { message: 'must be at most 999999999' })
  after = 0;
}

/** What the user taps or writes: one of the three. */
export class SimulatorReplyDto {
  @IsOptional()
  @IsText(256)
  button_id?: string;

  @IsOptional()
  @IsText(200)
  row_id?: string;

  @IsOptional()
  @IsText(4_096)
  text?: string;
}

/** What a user writes of their own accord. */
export class SimulatorInboundDto {
  /** The user's number in E.164 form. */
  @IsPhoneNumber()
  from: string;

  @IsText(4_096)
  text: string;

  /** The business number; default: that of the account. */
  @IsOptional()
  @IsText(32)
  phone_number_id?: string;
}
