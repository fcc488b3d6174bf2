import type { AlertDto } from '../alerts/alerts.dto.js';
import type { HourlyCallsDto } from '../api-keys/api-key-answers.dto.js';

/** What waits to be sent. */
export class QueueDto {
  /** Messages that no worker has taken. */
  queued: number;
  /** The age of the oldest of them; 0 when there is none. */
  oldest_age_seconds: number;
  /** Messages of which it is unknown whether WhatsApp has them. */
  unconfirmed: number;
}

/** A mapping that no longer fits its template: sends with it are refused. */
export class BrokenMappingDto {
  api_key_id: string;
  api_key_name: string;
  template_id: string;
  template_name: string;
  language: string;
  /** Why it does not fit. */
  reason: string;
}

/** The totals of what the user may see, live and test. */
export class OverviewDto {
  total_keys: number;
  active_keys: number;
  /** Authenticated requests of the external API, refused ones included: the sum of `calls_by_hour`. */
  calls_last_24h: number;
  /** Mappings of keys to templates. */
  templates_configured: number;
  /** Templates that WhatsApp has approved. Each language counts; a live and a test template count as one. */
  templates_approved: number;
  /** Mappings of keys that are not revoked. */
  broken_mappings: BrokenMappingDto[];
  /** 24 hours, the oldest first; the last one is the current hour. */
  calls_by_hour: HourlyCallsDto[];
  /** Messages accepted in the last 24 hours, by their present status. */
  messages_by_status: Record<string, number>;
  /** Templates among these that took the place of a message because the 24-hour window was closed. */
  fallbacks_last_24h: number;
  /** Failed ones of these, by WhatsApp's code, or by reason where WhatsApp gave none. */
  failures_by_code: Record<string, number>;
  queue: QueueDto;
  /** What needs attention, newest first. */
  alerts: AlertDto[];
}
