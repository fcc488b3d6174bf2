import type { Mode } from '../access/mode.js';

/** A variable that a send of the key gives. */
export class TemplateVariableDto {
  name: string;
  /** A send without it is refused. */
  required: boolean;
  /** `header`, `body` or `button`. */
  component: string;
  /** What the template was submitted with, or null. */
  example: string | null;
}

/** A template as callers see it. */
export class TemplateDto {
  name: string;
  language: string;
  category: string;
  /** WhatsApp's status; only APPROVED ones can be sent. */
  status: string;
  /** `POSITIONAL` or `NAMED`. */
  parameter_format: string;
  /** As WhatsApp defines them. */
  components: object[];
  /** Whether the key has a mapping that fits: then it can be sent with variables. */
  configured: boolean;
  /** What the key's mapping takes; empty without one. */
  variables: TemplateVariableDto[];
}

/** A page of templates. */
export class TemplatesDto {
  templates: TemplateDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** A place that a variable can fill. */
export class TemplateParameterDto {
  component: string;
  /** From 1. */
  position: number;
  /** Of a named parameter; of a flow button: `flow_token` or `flow_action_data`. */
  parameter_name: string | null;
  /** From 0; null outside buttons. */
  button_index: number | null;
  /**
   * `text`, `image`, `video`, `document`, `location`, `url_suffix`, `payload`, `coupon_code`, `flow_token` or
   * `flow_action_data`.
   */
  kind: string;
  /** WhatsApp refuses a send without it. */
  required: boolean;
  example: string | null;
}

/** A template as the dashboard shows it. */
export class DashboardTemplateDto {
  id: string;
  account_id: string;
  mode: Mode;
  name: string;
  language: string;
  category: string;
  status: string;
  parameter_format: string;
  components: object[];
  /** The places that a mapping can fill. */
  parameters: TemplateParameterDto[];
  quality_score: string | null;
  rejected_reason: string | null;
  /** Whether some key has a mapping that fits. */
  configured: boolean;
  last_synced_at: Date;
}

/** A key's mapping for a template, in short. */
export class TemplateMappingStateDto {
  api_key_id: string;
  api_key_name: string;
  /** How many variables a send may give. */
  variables: number;
  broken: boolean;
  /** Why it does not fit, or null. */
  broken_reason: string | null;
  updated_at: Date;
}

/** One template with the keys that have mapped it. */
export class DashboardTemplateAnswerDto {
  template: DashboardTemplateDto;
  mappings: TemplateMappingStateDto[];
}

/** Why the platform's templates could not be read. */
export class TemplateSyncErrorDto {
  reason: string;
  message: string;
  whatsapp_error_code: number | null;
}

/** How the last sync of an account's templates went. */
export class TemplateSyncStateDto {
  account_id: string;
  mode: Mode;
  running: boolean;
  /** The last one that succeeded, or null. */
  synced_at: Date | null;
  /** When it failed since, or null. */
  failed_at: Date | null;
  error: TemplateSyncErrorDto | null;
}

/** A page of templates with the state of their syncs. */
export class DashboardTemplatesDto {
  templates: DashboardTemplateDto[];
  next_cursor: string | null;
  syncs: TemplateSyncStateDto[];
}

/** The result of a sync. */
export class TemplateSyncDto {
  account_id: string;
  mode: Mode;
  /** How many templates WhatsApp has; each language counts. */
  templates: number;
  added: number;
  changed: number;
  removed: number;
  synced_at: Date;
}

/** The results of the syncs of one request. */
export class TemplateSyncsDto {
  syncs: TemplateSyncDto[];
}
