export interface RedisServer {
  url: string;
  port: number;
  pid: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export function hasRedis(): boolean;
export function startRedis(options?: { port?: number }): Promise<RedisServer>;
