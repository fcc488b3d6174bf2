import type { Mode } from '../../access/mode.js';
import type { EndpointFormat } from '../../endpoints/endpoint.entity.js';
import type { EndpointHealth } from '../../endpoints/endpoint-health.js';

/**
 * How an endpoint does. The figures are of a sample: its newest 1,000 deliveries of the last 24 hours that have
 * succeeded or failed for good.
 */
export class EndpointStandingDto {
  endpoint_id: string;
  /** `default`: what `webhook_url` of the key sets. */
  endpoint_name: string;
  api_key_id: string;
  api_key_name: string;
  account_id: string;
  mode: Mode;
  url: string;
  /** What it gets: events of Parley, or notifications in WhatsApp's own form. */
  format: EndpointFormat;
  /** `failing`: at least three attempts have failed since its last success. `disabled`: Parley switched it off. */
  health: EndpointHealth;
  /** Since when it is failing or disabled; null while it is healthy. */
  since: Date | null;
  /** When it will be switched off unless an attempt succeeds; null unless it is failing. */
  off_at: Date | null;
  /** `gone`: it answered 410; `failing`: no attempt succeeded for 120 hours. Null unless it is disabled. */
  disabled_reason: string | null;
  /** How many deliveries the sample has; 1,000 is its bound. */
  finished: number;
  /** How many of these succeeded. */
  succeeded: number;
  /** Events, of any age, whose attempts have failed and that are tried again; of at most 10,000 that are on their way. */
  retrying: number;
  /** Events, of any age, that wait for their first attempt, or for the first one of a redelivery; of the same 10,000. */
  waiting: number;
  /** The median time to a 2xx answer in the sample; null if there was none. */
  median_ms: number | null;
  /** The newest successful attempt; null if there was none, or if it was long ago. */
  last_success_at: Date | null;
  /** Events since `missed_since` that failed for good, or that were not sent because it was disabled. */
  missed: number;
  /**
   * False: more deliveries than were looked at are that new, so that there may be more. Looked at are the newest
   * 1,000 of a healthy endpoint, 10,000 of another one.
   */
  missed_is_exact: boolean;
  /** 24 hours ago; an hour before it began to fail, if that is earlier. Recover from here what it has missed. */
  missed_since: Date;
}

/** Endpoints of keys that are not revoked, at most 200: disabled and failing ones first. */
export class EndpointStandingsDto {
  endpoints: EndpointStandingDto[];
}
