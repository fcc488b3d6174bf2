import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageTypes } from './message-types.mjs';
import { ProcessGroup } from './process-group.mjs';
import { startServices } from './services.mjs';

const loadGenerator = fileURLToPath(new URL('load.mjs', import.meta.url));

/**
 * One measurement of the product by itself: starts it, lets `measure(group, product, services)` do its work, prints what
 * that returns as one line of JSON, and takes everything down again. Ends the process; with 1 where something failed.
 *
 * @param options `store`, and more `env` for API and worker.
 */
export function measureProduct({ store, env }, measure) {
  return measureInGroup({ store }, async (group, directory) => {
    const services = await startServices(group, {
      store,
      directory,
      isProductWanted: true,
      isNaiveWanted: false,
      productEnv: env,
    });
    return measure(group, services.product, services);
  });
}

/** The same for `measure(group, directory)` that starts its processes itself; `about` goes before its result. */
export async function measureInGroup(about, measure) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  // PostgreSQL refuses to run as root; as another user it must be able to enter.
  await chmod(directory, 0o711);
  const group = new ProcessGroup(directory);
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => group.interrupt(new Error('interrupted')));
  }
  try {
    const result = await measure(group, directory);
    process.stdout.write(`${JSON.stringify({ ...about, ...result })}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await group.close();
  }
  process.exit();
}

/**
 * Button messages over this many connections, each with one request open at a time, to one API process.
 * @returns sends a second.
 * @throws when one of them was not sent.
 */
export async function sendButtons(group, product, { port = product.port, connections, seconds }) {
  const { path, body } = messageTypes.button;
  const plan = JSON.stringify({
    path,
    body,
    success: '"status":"sent"',
    connections,
    warmUpMs: 1_000,
    measureMs: seconds * 1_000,
    port,
    headers: product.headers,
  });
  const line = await group.run('load', process.execPath, [loadGenerator], {}, plan);
  const { latencies, failed, failures } = JSON.parse(line);
  if (failed > 0) throw new Error(`not a valid run: ${failures.join('; ')}`);
  return Buffer.from(latencies, 'base64').length / 4 / seconds;
}
