import type { AlertDto } from '../alerts/alerts.dto.js';
import type { HourlyCallsDto } from '../api-keys/api-key-answers.dto.js';

/** Unconfirmed messages that nobody has sent again. */
export class UnconfirmedDto {
  count: number;
  /** When the oldest of these was accepted; null when there is none. */
  since: Date | null;
}

/** What waits to be sent. */
export class QueueDto {
  /** Messages that no worker has taken. */
  queued: number;
  /** The age of the oldest of them; 0 when there is none. */
  oldest_age_seconds: number;
  /** Messages of which it is unknown whether WhatsApp has them. */
  unconfirmed: number;
  /** When the oldest of these was accepted; null when there is none. */
  unconfirmed_since: Date | null;
  unconfirmed_not_resent: UnconfirmedDto;
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
  /** Since when it does not fit. */
  since: Date;
}

/** An endpoint that is switched off, or whose last three attempts or more failed. */
export class FailingEndpointDto {
  endpoint_id: string;
  /** `default`: what `webhook_url` of the key sets. */
  endpoint_name: string;
  api_key_id: string;
  api_key_name: string;
  account_id: string;
  url: string;
  /** How many attempts have failed since its last success; 0 once it is switched off. */
  failures: number;
  /** When it was switched off, or the first of these failures. */
  since: Date;
  /** When the endpoint will be switched off unless an attempt succeeds; null once it is. */
  off_at: Date | null;
  /** When Parley switched it off; null while it is in use. */
  disabled_at: Date | null;
  /** `gone`: it answered 410; `failing`: no attempt succeeded for 120 hours. Null while it is in use. */
  reason: string | null;
}

/** An endpoint that works, for which at least ten events still wait because their attempts failed. */
export class BacklogDto {
  endpoint_id: string;
  /** `default`: what `webhook_url` of the key sets. */
  endpoint_name: string;
  api_key_id: string;
  api_key_name: string;
  account_id: string;
  /** Events whose attempts failed and whose next try is still to come; 10,000 or more count as 10,000. */
  events: number;
  /** When the oldest of these happened. */
  since: Date;
  /** When each of these has been tried once more. */
  last_try_at: Date;
}

/** The totals of what the user may see, live and test. All but six follow the filter `mode`. */
export class OverviewDto {
  /** Live and test, whatever `mode` says. */
  total_keys: number;
  /** Live and test, whatever `mode` says. */
  active_keys: number;
  /** Authenticated requests of the external API, refused ones included; live and test, whatever `mode` says. */
  calls_last_24h: number;
  /** Mappings of keys to templates; live and test, whatever `mode` says. */
  templates_configured: number;
  /**
   * Templates that WhatsApp has approved, live and test, whatever `mode` says. Each language counts; a live and a test
   * template count as one.
   */
  templates_approved: number;
  /** Those of `templates_approved` that a key has a mapping for, which fits. */
  templates_mapped: number;
  /** Mappings of keys that are not revoked. */
  broken_mappings: BrokenMappingDto[];
  /** Endpoints of keys that are not revoked, at most 100; the longest failing first. */
  failing_endpoints: FailingEndpointDto[];
  /** Endpoints of keys that are not revoked, at most 100; those with the most events first. */
  backlogs: BacklogDto[];
  /** 24 hours, the oldest first; the last one is the current hour. */
  calls_by_hour: HourlyCallsDto[];
  /** Messages accepted in the last 24 hours, by their present status. */
  messages_by_status: Record<string, number>;
  /** Templates among these that took the place of a message because the 24-hour window was closed. */
  fallbacks_last_24h: number;
  /** Failed ones of these, by WhatsApp's code, or by reason where WhatsApp gave none. */
  failures_by_code: Record<string, number>;
  queue: QueueDto;
  /** Open alerts, newest first, muted ones too. They have no mode: all are here, whatever `mode` says. */
  alerts: AlertDto[];
}
