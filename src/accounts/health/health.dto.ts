/** What WhatsApp last said of an account's number and token; null where it said nothing. */
export class AccountHealthDto {
  /** When Parley last read it. ISO 8601. */
  read_at: Date;
  /** `GREEN`, `YELLOW`, `RED`, `UNKNOWN` or `NA`. */
  quality: string | null;
  /** How many people the number may write to first in 24 hours, such as `TIER_2K`. */
  messaging_limit: string | null;
  /** The review of the name, such as `APPROVED` or `PENDING_REVIEW`. */
  name_status: string | null;
  /** The name that is in use or in review. */
  verified_name: string | null;
  /** Whether WhatsApp accepts the access token; null: it was not asked yet. */
  token_valid: boolean | null;
  /** Null also for a token that does not expire. ISO 8601. */
  token_expires_at: Date | null;
}

/** One fact about a number or its token that changed. */
export class HealthChangeDto {
  id: string;
  /** When Parley learnt of it. ISO 8601. */
  at: Date;
  /** `quality`, `quality_event`, `messaging_limit`, `name_status`, `verified_name` or `token`. */
  field: string;
  /** Null: it was not known. */
  before: string | null;
  /** WhatsApp's word; of a token `never`, `invalid`, or when it expires. */
  after: string;
}

/** A page of the changes of a number's health, the newest first. */
export class HealthHistoryDto {
  changes: HealthChangeDto[];
  next_cursor: string | null;
}
