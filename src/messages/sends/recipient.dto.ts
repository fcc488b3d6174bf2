import { IsOptional } from 'class-validator';
import { IsUserId } from '../../contacts/user-id.rule.js';
import { IsPhoneNumber, isGiven, RequiredWithout } from '../../http/validation/rules.js';

/** The recipient of a message: a phone number, a user id, or both. */
export class RecipientDto {
  /**
   * The recipient in E.164 form, such as +14155550123. Required without `to_user_id`; with both, the message goes
   * to this number.
   */
  @RequiredWithout('to_user_id')
  @IsPhoneNumber()
  to?: string | null;

  /** The recipient's business-scoped user id, such as US.13491208655302741918: for users who hide their number. */
  @IsOptional()
  @IsUserId()
  to_user_id?: string | null;
}

/** The recipient as the row of a message keeps it: as the caller gave it. */
export function recipientOf({ to, to_user_id }: RecipientDto) {
  return { recipient: to ?? null, toUserId: to_user_id ?? null };
}

/** The recipient as WhatsApp wants it: a number in `to`, which makes it silently drop a user id; else `recipient`. */
export function addressOf({
  to,
  to_user_id,
}: RecipientDto): { to: string } | { recipient: string } {
  return isGiven(to) ? { to } : { recipient: to_user_id ?? '' };
}
