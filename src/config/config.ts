import { randomUUID } from 'node:crypto';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { EnvironmentDto } from './environment.dto.js';

/** The schedule after which a webhook delivery is tried again, in seconds. */
const webhookRetrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** Values of these variables never appear in a message. */
const secretVariables = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'SECRET_KEY',
  'PLATFORM_VERIFY_TOKEN',
  'SIMULATOR_APP_SECRET',
  'ADMIN_PASSWORD',
]);

/** A bad value in the environment; `message` is the line that the operator reads. */
export class ConfigError extends Error {}

/**
 * Everything that the environment decides, read once at start, validated as a whole and frozen.
 * Nothing else reads `process.env`.
 */
export class Config {
  /** Identifies this process for as long as it lives: reply hints are addressed to it. */
  readonly processId: string = randomUUID();
  readonly host: string;
  readonly port: number;
  readonly workerPort: number;
  /** Where the API answers operators alone, or null where it has no such port. */
  readonly metricsPort: number | null;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  /** 32 bytes each; the first encrypts, all decrypt. */
  readonly secretKeys: readonly Buffer[];
  /** Where live keys send, without a trailing slash. */
  readonly platformBaseUrl: string;
  /** The root of the simulator, or null where there is none. */
  readonly simulatorUrl: string | null;
  /** Where test keys send: the simulator's Graph address, or null where there is none. */
  readonly simulatorBaseUrl: string | null;
  /**
   * What the simulator signs its notifications with, or null where it is an account's own secret. Null without a
   * simulator: nobody else signs for every account.
   */
  readonly simulatorAppSecret: string | null;
  /** Whether live keys send to the simulator too, as under `npm start`. */
  readonly isPlatformSimulated: boolean;
  readonly platformVerifyToken: string | null;
  /** Set by the operator, without path or trailing slash; null means `http://HOST:PORT`. */
  readonly publicUrl: string | null;
  /** The path that the operator gave with it, which is left out; null without one. */
  readonly publicPath: string | null;
  /** Whether browsers reach the dashboard over https alone. */
  readonly isHttps: boolean;
  /** Where callers reach the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly trustedProxies: readonly string[];
  readonly sendWaitMs: number;
  /** How long a send waits for a database that does not answer before it is refused. */
  readonly storePatienceMs: number;
  /** How long Redis may be silent before quotas come from PostgreSQL instead. */
  readonly redisPatienceMs: number;
  readonly maxInFlight: number;
  readonly webhookRetrySeconds: readonly number[];
  readonly retentionDays: number;
  /** For how long the requests of callers are kept; 0: not at all. */
  readonly requestLogDays: number;
  readonly webhookAllowPrivate: boolean;
  readonly logLevel: string;
  /** Whether code in a transaction is refused a second connection, as in tests. */
  readonly checksTransactions: boolean;
  /** The operator that `npm run migrate` creates if there is none; null if no password is given. */
  readonly firstOperator: { readonly email: string; readonly password: string } | null;
  /** Whether users of the dashboard must set up a second factor before they can do anything else. */
  readonly requireTotp: boolean;
  /** Null where no collector of traces is configured; the exporter itself reads its address and headers. */
  readonly traces: { readonly sampleRatio: number } | null;

  /** @throws ConfigError naming the first invalid variable, and what it takes. */
  constructor(environment: Record<string, string | undefined>) {
    const values = readEnvironment(environment);
    this.host = values.HOST;
    this.port = values.PORT;
    this.workerPort = values.WORKER_PORT;
    this.metricsPort = values.METRICS_PORT ?? null;
    this.databaseUrl = values.DATABASE_URL;
    this.redisUrl = values.REDIS_URL ?? null;
    this.secretKeys = values.SECRET_KEY.split(',').map((key) => Buffer.from(key.trim(), 'base64'));
    this.platformBaseUrl = values.PLATFORM_BASE_URL.replace(/(?<!\/)\/+$/, '');
    this.simulatorUrl = values.SIMULATOR_URL ? new URL(values.SIMULATOR_URL).origin : null;
    this.simulatorBaseUrl = this.simulatorUrl && `${this.simulatorUrl}/v25.0`;
    this.simulatorAppSecret = this.simulatorUrl && (values.SIMULATOR_APP_SECRET ?? null);
    this.isPlatformSimulated = new URL(this.platformBaseUrl).origin === this.simulatorUrl;
    this.platformVerifyToken = values.PLATFORM_VERIFY_TOKEN ?? null;
    this.publicUrl = values.PUBLIC_URL ? new URL(values.PUBLIC_URL).origin : null;
    const path = values.PUBLIC_URL ? new URL(values.PUBLIC_URL).pathname : '/';
    this.publicPath = path === '/' ? null : path;
    this.isHttps = this.publicUrl?.startsWith('https:') ?? false;
    this.apiUrl = this.publicUrl ?? `http://${bracketed(this.host)}:${this.port}`;
    this.trustedProxies = splitList(values.TRUSTED_PROXIES);
    this.sendWaitMs = values.SEND_WAIT_MS;
    this.storePatienceMs = values.SEND_WAIT_MS / 2;
    // While one store is silent both of them count, so waiting longer keeps limits exact on a busy machine.
    this.redisPatienceMs = values.SEND_WAIT_MS / 40;
    this.maxInFlight = values.MAX_IN_FLIGHT;
    this.webhookRetrySeconds = values.WEBHOOK_RETRY_SECONDS
      ? splitList(values.WEBHOOK_RETRY_SECONDS).map(Number)
      : webhookRetrySeconds;
    this.retentionDays = values.RETENTION_DAYS;
    this.requestLogDays = values.REQUEST_LOG_DAYS;
    this.webhookAllowPrivate = values.WEBHOOK_ALLOW_PRIVATE;
    this.logLevel = values.LOG_LEVEL;
    this.checksTransactions = environment.NODE_ENV === 'test';
    this.firstOperator = values.ADMIN_PASSWORD
      ? { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD }
      : null;
    this.requireTotp = values.REQUIRE_TOTP;
    this.traces = values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { sampleRatio: values.OTEL_TRACES_SAMPLER_ARG }
      : null;
    Object.freeze(this);
  }
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function splitList(value: string | undefined): string[] {
  return value ? value.split(',').map((entry) => entry.trim()) : [];
}

function readEnvironment(environment: Record<string, string | undefined>): EnvironmentDto {
  const given = Object.keys(new EnvironmentDto()).concat(
    'METRICS_PORT',
    'DATABASE_URL',
    'REDIS_URL',
    'SECRET_KEY',
    'SIMULATOR_URL',
    'SIMULATOR_APP_SECRET',
    'PLATFORM_VERIFY_TOKEN',
    'PUBLIC_URL',
    'TRUSTED_PROXIES',
    'WEBHOOK_RETRY_SECONDS',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'ADMIN_PASSWORD',
  );
  // An empty value means the same as no value: `REDIS_URL= npm start` is how a shell says "none".
  const present = Object.fromEntries(
    given.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const values = plainToInstance(EnvironmentDto, present, { exposeDefaultValues: true });
  const [first] = validateSync(values, { stopAtFirstError: true });
  if (first) {
    const value = environment[first.property];
    const shown = value
      ? `is ${secretVariables.has(first.property) ? 'not valid (value hidden)' : JSON.stringify(value)}`
      : 'is missing';
    const takes = Object.values(first.constraints ?? {})[0] ?? 'another value';
    throw new ConfigError(`${first.property} ${shown}; it takes ${takes}`);
  }
  if (values.METRICS_PORT && values.METRICS_PORT === values.PORT) {
    throw new ConfigError(`METRICS_PORT is "${values.PORT}"; it takes another port than PORT`);
  }
  return values;
}
