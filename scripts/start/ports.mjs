import { createServer } from 'node:net';
import { StartError } from './console.mjs';

/** What each process listens on by default. */
const defaults = { PORT: 3000, WORKER_PORT: 3001, SIMULATOR_PORT: 3002 };

/**
 * Finds a port for each process: the one from the environment (0: any free one), else its default, else the next
 * free one. The ports are held until `release`, so that two starts at the same moment do not choose
 * the same.
 *
 * @returns `{ PORT: { port, release }, … }`
 * @throws StartError when a port from the environment is not a port, is named twice or is taken.
 */
export async function reservePorts(env, host) {
  const reserved = {};
  try {
    for (const name of Object.keys(defaults)) {
      if (env[name]) reserved[name] = await reserveGiven(name, env[name], host);
    }
    for (const [name, port] of Object.entries(defaults)) {
      reserved[name] ??= await reserve(port, host);
    }
    const last = Math.max(...Object.values(defaults));
    for (const name of Object.keys(defaults)) {
      reserved[name] ??= await reserveFrom(last + 1, host);
    }
    return reserved;
  } catch (error) {
    await Promise.all(Object.values(reserved).map((held) => held?.release()));
    throw error;
  }
}

/** A free port of 127.0.0.1: `preferred` when it is free, else any. */
export async function freePort(preferred) {
  const held =
    (preferred && (await reserve(preferred, '127.0.0.1'))) || (await reserve(0, '127.0.0.1'));
  await held.release();
  return held.port;
}

async function reserveGiven(name, value, host) {
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

async function reserveFrom(first, host) {
  for (let port = first; port <= 65_535; port++) {
    const held = await reserve(port, host);
    if (held) return held;
  }
  throw new StartError(`No port from ${first} up is free on ${host}.`);
}

/** Listens on the port; null when that cannot be done because it is taken or not ours to take. */
function reserve(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(new StartError(`HOST is "${host}"; nothing can listen there (${error.code}).`));
    });
    server.listen({ port, host, exclusive: true }, () => {
      server.unref();
      resolve({
        port: server.address().port,
        release: () => new Promise((released) => server.close(() => released())),
      });
    });
  });
}
