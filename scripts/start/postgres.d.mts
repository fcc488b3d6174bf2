import type { Socket } from 'node:net';

interface PostgresOptions {
  directory: string;
  port?: number;
  password?: string;
  durable?: boolean;
  moreSettings?: Record<string, string | number>;
  signal?: AbortSignal;
}

interface Postgres {
  url: string;
  port: number;
  pid: number;
  logPath: string;
  exited: Promise<string>;
  stop(options?: { withinMs?: number }): Promise<void>;
  kill(): void;
}

export function startPostgres(options: PostgresOptions): Promise<Postgres>;
export function launchPostgres(
  options: PostgresOptions,
): Promise<Postgres & { ready: Promise<void> }>;
export function guardPostgres(directory: string): { pid: number; pipe: Socket; release(): void };
export function readClusterId(directory: string): string;
