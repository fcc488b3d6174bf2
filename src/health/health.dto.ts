/** That the process answers. */
export class LivenessDto {
  /** `ok`. */
  status: string;
  /** Which version of Parley runs. On `PORT` only the API's own machine is told. */
  version?: string;
}

/** Whether the process can do its work. */
export class ReadinessDto {
  status: 'ok' | 'unavailable';
  process: 'up' | 'stopping';
  database: 'up' | 'down' | 'disk_full';
  /** `off`: the process runs without Redis. */
  redis: 'up' | 'degraded' | 'off';
  /** Whether the database has the migrations that this version needs. */
  migrations: 'up' | 'missing';
  /** What to do about missing migrations. */
  hint?: string;
}
