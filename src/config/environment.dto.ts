import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  Min,
  MinLength,
} from 'class-validator';
import {
  IsAddressRangeList,
  IsBaseUrl,
  IsDatabaseUrl,
  IsKeyList,
  IsRedisUrl,
  IsSecondsList,
} from './environment-rules.js';

const toInteger = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value,
);

const toNumber = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' && /^(?:\d+|\d*\.\d+)$/.test(value.trim()) ? Number(value) : value,
);

const toBoolean = Transform(({ value }: { value: unknown }) => {
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  return value;
});

/**
 * Every environment variable that the API and the worker read, with what it takes.
 * `.env.example` lists the same names; a test compares the two.
 */
export class EnvironmentDto {
  @toInteger
  @IsInt({ message: 'a port from 0 to 65535' })
  @Min(0, { message: 'a port from 0 to 65535' })
  @Max(65_535, { message: 'a port from 0 to 65535' })
  PORT = 3000;

  @IsString({ message: 'an address to listen on' })
  HOST = '127.0.0.1';

  @toInteger
  @IsInt({ message: 'a port from 0 to 65535' })
  @Min(0, { message: 'a port from 0 to 65535' })
  @Max(65_535, { message: 'a port from 0 to 65535' })
  WORKER_PORT = 3001;

  @IsOptional()
  @toInteger
  @IsInt({ message: 'a port from 0 to 65535' })
  @Min(0, { message: 'a port from 0 to 65535' })
  @Max(65_535, { message: 'a port from 0 to 65535' })
  METRICS_PORT?: number;

  @IsDatabaseUrl({
    message:
      'postgres://user:password@host:port/name; several servers as host1:port,host2:port, of which the one that ' +
      'takes writes is used (target_session_attrs can be read-write or primary)',
  })
  DATABASE_URL: string;

  @IsOptional()
  @IsRedisUrl({
    message:
      'redis://host:port, rediss://host:port or, with Sentinel, ' +
      'redis+sentinel://host1:26379,host2:26379,host3:26379/name-of-the-master',
  })
  REDIS_URL?: string;

  @IsKeyList({ message: 'one or more keys of 32 bytes in base64, separated by commas' })
  SECRET_KEY: string;

  @IsEmail({ require_tld: false }, { message: 'an email address' })
  ADMIN_EMAIL = 'admin@parley.local';

  @IsOptional()
  @MinLength(8, { message: 'at least 8 characters' })
  ADMIN_PASSWORD?: string;

  @toBoolean
  @IsBoolean({ message: 'true or false' })
  REQUIRE_TOTP = false;

  @IsBaseUrl({ message: 'an http(s) address such as https://graph.facebook.com/v25.0' })
  PLATFORM_BASE_URL = 'https://graph.facebook.com/v25.0';

  @IsOptional()
  @IsBaseUrl({ message: 'the http(s) address of a simulator' })
  SIMULATOR_URL?: string;

  @IsOptional()
  @MinLength(16, { message: 'at least 16 characters that nobody can guess: openssl rand -hex 24' })
  SIMULATOR_APP_SECRET?: string;

  @IsOptional()
  @IsString({ message: 'the verify token for the webhook handshake with Meta' })
  PLATFORM_VERIFY_TOKEN?: string;

  @IsOptional()
  @IsBaseUrl({ message: 'the http(s) address under which callers reach the API' })
  PUBLIC_URL?: string;

  @IsOptional()
  @IsAddressRangeList({
    message: 'addresses or CIDR ranges of your proxies, separated by commas; never 0.0.0.0/0',
  })
  TRUSTED_PROXIES?: string;

  @toInteger
  @IsInt({ message: 'milliseconds from 1000 to 25000' })
  @Min(1_000, { message: 'milliseconds from 1000 to 25000' })
  @Max(25_000, { message: 'milliseconds from 1000 to 25000' })
  SEND_WAIT_MS = 10_000;

  @toInteger
  @IsInt({ message: 'a number of messages from 1 to 4096' })
  @Min(1, { message: 'a number of messages from 1 to 4096' })
  @Max(4_096, { message: 'a number of messages from 1 to 4096' })
  MAX_IN_FLIGHT = 256;

  @IsOptional()
  @IsSecondsList({ message: 'seconds separated by commas, such as 5,300,1800' })
  WEBHOOK_RETRY_SECONDS?: string;

  @toInteger
  @IsInt({ message: 'a number of days from 1 to 3650' })
  @Min(1, { message: 'a number of days from 1 to 3650' })
  @Max(3_650, { message: 'a number of days from 1 to 3650' })
  RETENTION_DAYS = 90;

  @toInteger
  @IsInt({ message: 'a number of days from 0 (no log) to 90' })
  @Min(0, { message: 'a number of days from 0 (no log) to 90' })
  @Max(90, { message: 'a number of days from 0 (no log) to 90' })
  REQUEST_LOG_DAYS = 7;

  @toBoolean
  @IsBoolean({ message: 'true or false' })
  WEBHOOK_ALLOW_PRIVATE = false;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    message: 'one of fatal, error, warn, info, debug, trace, silent',
  })
  LOG_LEVEL = 'info';

  @IsOptional()
  @IsBaseUrl({ message: 'the http(s) address of an OpenTelemetry collector' })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  @toNumber
  @Min(0, { message: 'a share from 0 to 1' })
  @Max(1, { message: 'a share from 0 to 1' })
  OTEL_TRACES_SAMPLER_ARG = 1;
}
