export interface RedisServer {
  url: string;
  port: number;
  pid: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export function hasRedis(): boolean;
export function startRedis(options?: {
  port?: number;
  sentinelFile?: string;
  more?: (string | number)[];
}): Promise<RedisServer>;
