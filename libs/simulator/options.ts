/** How strict validation is where the platform's own documents disagree or are silent. */
export interface Strictness {
  /** What a limit in characters counts. @default 'code-points' */
  characterUnit: 'code-points' | 'utf-16';
  /** Longest body of a list message. The guide says 4096, the OpenAPI file 1024. @default 4096 */
  listBodyMaxCharacters: number;
  /** Whether two rows of a list may not share a title. Reports differ. @default false */
  refusesEqualRowTitles: boolean;
  /** Whether messages of types that it does not know are accepted, as those of a newer platform. @default false */
  takesUnknownTypes: boolean;
}

/** When a message's statuses are reported, counted from its acceptance. */
export interface StatusDelays {
  sentMs: number;
  deliveredMs: number;
  readMs: number;
}

/** One line of the simulator's log. */
export interface LogRecord {
  level: 'info' | 'warn' | 'error';
  message: string;
  [field: string]: unknown;
}

/** What a simulator is started with. */
export interface SimulatorOptions {
  /** Port to listen on; 0 takes any free one. @default 3002 */
  port?: number;
  /** @default '127.0.0.1' */
  host?: string;
  /** Signs every webhook; required together with `webhookUrl`. */
  appSecret?: string;
  /** Where webhooks go. Without it nothing is reported. */
  webhookUrl?: string;
  /** @default 50, 150 and 400 ms */
  statusDelays?: Partial<StatusDelays>;
  strictness?: Partial<Strictness>;
  /** First wait before a webhook that did not get 200 is tried again; doubles every time. @default 1000 */
  webhookRetryMs?: number;
  /** The clock that ends typing, in milliseconds. @default Date.now */
  now?: () => number;
  /** Takes log lines. @default silent */
  log?: (record: LogRecord) => void;
}

export const defaultStrictness: Strictness = {
  characterUnit: 'code-points',
  listBodyMaxCharacters: 4096,
  refusesEqualRowTitles: false,
  takesUnknownTypes: false,
};

export const defaultStatusDelays: StatusDelays = { sentMs: 50, deliveredMs: 150, readMs: 400 };
