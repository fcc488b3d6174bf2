import type { LogRecord } from './options.js';
import { startSimulator } from './server.js';

const log = (record: LogRecord): void => {
  process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), name: 'simulator', ...record })}\n`,
  );
};

const readPort = (text: string | undefined): number => {
  if (text === undefined || text === '') return 3002;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new RangeError(`SIMULATOR_PORT is "${text}": it takes a port, 0 to 65535`);
  }
  return port;
};

const start = async (): Promise<void> => {
  const {
    SIMULATOR_PORT,
    HOST,
    SIMULATOR_APP_SECRET,
    SIMULATOR_WEBHOOK_URL,
    SIMULATOR_UNKNOWN_TYPES,
  } = process.env;
  const simulator = await startSimulator({
    port: readPort(SIMULATOR_PORT),
    host: HOST || '127.0.0.1',
    ...(SIMULATOR_APP_SECRET ? { appSecret: SIMULATOR_APP_SECRET } : {}),
    ...(SIMULATOR_WEBHOOK_URL ? { webhookUrl: SIMULATOR_WEBHOOK_URL } : {}),
    strictness: { takesUnknownTypes: SIMULATOR_UNKNOWN_TYPES === 'true' },
    log,
  });
  log({ level: 'info', message: 'simulator started', url: simulator.url, port: simulator.port });
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await simulator.close();
    log({ level: 'info', message: 'simulator stopped', signal });
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
};

const fail = (error: unknown): void => {
  log({ level: 'error', message: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
};

start().catch(fail);
