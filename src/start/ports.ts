import { type AddressInfo, createServer } from 'node:net';
import { StartError } from './console.js';

/** What each process listens on by default. */
const defaults = { PORT: 3000, WORKER_PORT: 3001, SIMULATOR_PORT: 3002 };
const names = Object.keys(defaults) as PortName[];

export type PortName = keyof typeof defaults;

export interface HeldPort {
  port: number;
  release(): Promise<void>;
}

/**
 * Finds a port for each process: the one from the environment (0: any free one), else its default, else the next
 * free one. The ports are held until `release`, so that two starts at the same moment do not choose
 * the same.
 *
 * @returns `{ PORT: { port, release }, … }`
 * @throws StartError when a port from the environment is not a port, is named twice or is taken.
 */
export async function reservePorts(
  env: Readonly<Record<string, string | undefined>>,
  host: string,
): Promise<Record<PortName, HeldPort>> {
  const reserved: Partial<Record<PortName, HeldPort | null>> = {};
  try {
    for (const name of names) {
      const given = env[name];
      if (given) reserved[name] = await reserveGiven(name, given, host);
    }
    for (const name of names) reserved[name] ??= await reserve(defaults[name], host);
    const last = Math.max(...Object.values(defaults));
    for (const name of names) reserved[name] ??= await reserveFrom(last + 1, host);
    return reserved as Record<PortName, HeldPort>;
  } catch (error) {
    await Promise.all(Object.values(reserved).map(async (held) => await held?.release()));
    throw error;
  }
}

/** A free port of 127.0.0.1: `preferred` when it is free, else any. */
export async function freePort(preferred?: number): Promise<number> {
  const held =
    (preferred && (await reserve(preferred, '127.0.0.1'))) || (await reserve(0, '127.0.0.1'));
  if (!held) throw new StartError('No port of 127.0.0.1 is free.');
  await held.release();
  return held.port;
}

async function reserveGiven(name: PortName, value: string, host: string): Promise<HeldPort> {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) {
    throw new StartError(`${name} is "${value}"; it takes a port from 0 to 65535.`);
  }
  const held = await reserve(port, host);
  if (!held) {
    throw new StartError(
      `${name}=${port} is taken by another process. Stop it, or set another ${name}.`,
    );
  }
  return held;
}

async function reserveFrom(first: number, host: string): Promise<HeldPort> {
  for (let port = first; port <= 65_535; port++) {
    const held = await reserve(port, host);
    if (held) return held;
  }
  throw new StartError(`No port from ${first} up is free on ${host}.`);
}

/** Listens on the port; null when that cannot be done because it is taken or not ours to take. */
function reserve(port: number, host: string): Promise<HeldPort | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(new StartError(`HOST is "${host}"; nothing can listen there (${error.code}).`));
    });
    server.listen({ port, host, exclusive: true }, () => {
      server.unref();
      resolve({
        port: (server.address() as AddressInfo).port,
        release: () => new Promise((released) => server.close(() => released())),
      });
    });
  });
}
