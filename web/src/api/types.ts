/** What the dashboard's REST answers, as far as the page reads it. Times are ISO 8601. */

export type Mode = 'live' | 'test';
export type Role = 'operator' | 'administrator';
export type KeyState = 'active' | 'inactive' | 'expired' | 'revoked' | 'suspended';
export type MessageType = 'list' | 'button' | 'text' | 'media' | 'template';
export type MessageStatus =
  | 'queued'
  | 'sending'
  | 'unconfirmed'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'failed';

export interface SessionUser {
  id: string;
  email: string;
  role: Role;
  account_id: string | null;
}

export interface Session {
  user: SessionUser;
  public_url: string;
  simulator: boolean;
}

export interface Account {
  id: string;
  name: string;
  phone_number_id: string;
  business_account_id: string;
  display_phone_number: string;
  active: boolean;
  hold_kind: 'paused' | 'throttled' | null;
  hold_reason: string | null;
  hold_until: string | null;
  created_at: string;
}

export interface HourlyCalls {
  hour: string;
  calls: number;
  refused: number;
}

export interface Alert {
  id: string;
  account_id: string;
  kind: string;
  subject: string;
  message: string;
  created_at: string;
}

export interface Overview {
  total_keys: number;
  active_keys: number;
  calls_last_24h: number;
  templates_configured: number;
  calls_by_hour: HourlyCalls[];
  messages_by_status: Record<MessageStatus, number>;
  failures_by_code: Record<string, number>;
  queue: { queued: number; oldest_age_seconds: number; unconfirmed: number };
  alerts: Alert[];
}

export interface ApiKey {
  id: string;
  account_id: string;
  name: string;
  description: string | null;
  mode: Mode;
  display: string;
  permissions: string[];
  rate_limit_per_minute: number;
  daily_limit: number;
  expires_at: string | null;
  allowed_ips: string[];
  active: boolean;
  state: KeyState;
  revoked_at: string | null;
  suspended_at: string | null;
  suspended_reason: string | null;
  require_signature: boolean;
  webhook: {
    url: string | null;
    events: string[];
    disabled_at: string | null;
    reason: string | null;
  };
  previous_key_expires_at: string | null;
  last_used_at: string | null;
  last_used_address: string | null;
  created_at: string;
  updated_at: string;
}

export interface NewApiKey {
  name: string;
  description: string | null;
  mode: Mode;
  permissions: string[];
  rate_limit_per_minute: number | null;
  daily_limit: number | null;
  expires_at: string | null;
  allowed_ips: string[];
  require_signature: boolean;
  active: boolean;
  webhook_url: string | null;
  webhook_events: string[] | null;
  account_id?: string;
}

export interface CreatedApiKey {
  api_key: ApiKey;
  key: string;
  signing_secret: string;
  webhook_secret: string;
}

export interface WindowUsage {
  limit: number;
  used: number;
  remaining: number;
  reset_at: string;
}

export interface KeyUsage {
  minute: WindowUsage;
  day: WindowUsage;
  calls_last_24h: number;
  calls_by_hour: HourlyCalls[];
  last_used_at: string | null;
  last_used_address: string | null;
}

export interface MessageError {
  code: string;
  message: string;
  retryable: boolean;
  reason?: string | null;
  whatsapp_error_code?: number;
  whatsapp_error_message?: string | null;
}

export interface Message {
  message_id: string;
  type: MessageType;
  status: MessageStatus;
  to: string;
  reference: string | null;
  platform_message_id: string | null;
  error: MessageError | null;
  created_at: string;
  mode: Mode;
  account_id: string;
  api_key_id: string;
  api_key_name: string | null;
  text: string;
}

export interface TimelineEntry {
  status: MessageStatus;
  at: string;
  source: 'api' | 'worker' | 'platform' | 'webhook' | 'recovery';
}

export interface Attempt {
  number: number;
  started_at: string;
  duration_ms: number;
  outcome: string;
  http_status: number | null;
  error_code: number | null;
  detail: string | null;
}

export interface MessageDetails extends Message {
  timeline: TimelineEntry[];
  attempts: Attempt[];
  platform_payload: Record<string, unknown> | null;
}

export interface MessagePage {
  messages: Message[];
  next_cursor: string | null;
}

export interface AuditEntry {
  id: string;
  at: string;
  actor: string;
  address: string | null;
  action: string;
  subject_type: string;
  subject_id: string | null;
  subject_name: string | null;
  details: object;
}

export interface AuditPage {
  entries: AuditEntry[];
  next_cursor: string | null;
}

export interface User {
  id: string;
  email: string;
  role: Role;
  account_id: string | null;
  active: boolean;
  created_at: string;
}
