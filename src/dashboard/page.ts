import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { checkout } from '../config/checkout.js';

/** Where `vite build` puts the page. */
const builtPage = join(checkout, 'dist/web');

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

const compressible = new Set(['.css', '.js', '.svg']);
const compress = promisify(gzip);

const policyFor = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const notBuilt = 'The dashboard is not built. Run `npm run build`, then start Parley again.\n';

/**
 * Serves the dashboard's page. All of it is read once: it is small, and a path that a browser asks
 * for never becomes a path on the disk.
 */
export function servePage(app: NestFastifyApplication, folder = builtPage): void {
  const server = app.getHttpAdapter().getInstance();
  const indexPath = join(folder, 'index.html');
  const index = existsSync(indexPath) ? readFileSync(indexPath, 'utf8') : null;
  const assets = index === null ? new Map<string, Buffer>() : readAssets(folder);
  const compressed = new Map<string, Promise<Buffer>>();

  server.get('/dashboard', (_request, reply) => sendIndex(reply));
  server.get<{ Params: { '*': string } }>('/dashboard/*', async (request, reply) => {
    const name = request.params['*'];
    const asset = assets.get(name);
    // A file that is not there is no page of the dashboard; everything else is one.
    if (!asset) return extname(name) === '' ? sendIndex(reply) : reply.callNotFound();
    const extension = extname(name);
    reply
      .header('content-type', mediaTypes[extension] ?? 'application/octet-stream')
      .header('x-content-type-options', 'nosniff')
      .header(
        'cache-control',
        name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    if (!compressible.has(extension)) return reply.send(asset);
    reply.header('vary', 'accept-encoding');
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(asset);
    const small = compressed.get(name) ?? compress(asset, { level: 9 });
    compressed.set(name, small);
    return reply.header('content-encoding', 'gzip').send(await small);
  });

  function sendIndex(reply: PageReply) {
    reply.header('cache-control', 'no-store');
    if (index === null) {
      return reply.status(503).header('content-type', 'text/plain; charset=utf-8').send(notBuilt);
    }
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policyFor(nonce))
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .send(index.replaceAll('__CSP_NONCE__', nonce));
  }
}

interface PageReply {
  header(name: string, value: string): PageReply;
  status(code: number): PageReply;
  send(body: string): unknown;
}

/** Everything but `index.html`, by its path below the folder. */
function readAssets(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((file) => file.isFile() && file.name !== 'index.html')
      .map((file) => {
        const path = join(file.parentPath, file.name);
        return [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path)] as const;
      }),
  );
}
