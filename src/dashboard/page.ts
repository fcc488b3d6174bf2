import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { checkout } from '../config/checkout.js';
import { StaticFiles } from '../http/server/static-files.js';

/** Where `vite build` puts the page. */
const builtPage = join(checkout, 'dist/web');

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

/** Serves the dashboard's page. @param origin where the API is reached, such as `https://parley.example.com` */
export function servePage(app: NestFastifyApplication, origin: string, folder = builtPage): void {
  const server = app.getHttpAdapter().getInstance();
  const indexPath = join(folder, 'index.html');
  const index = existsSync(indexPath) ? readFileSync(indexPath, 'utf8') : null;
  const files = index === null ? null : StaticFiles.readFolder(folder);

  // People who open the bare address get the dashboard, programs the addresses of everything.
  server.get('/', (request, reply) => {
    void reply.header('vary', 'accept');
    if (/\btext\/html\b/.test(request.headers.accept ?? '')) return reply.redirect('/dashboard');
    const at = (path: string) => `${origin}${path}`;
    return reply.send({
      api: at('/api/v1/external'),
      dashboard: at('/dashboard'),
      docs: at('/docs'),
      openapi: at('/openapi.json'),
      health: at('/health/ready'),
    });
  });
  server.get('/dashboard', (_request, reply) => sendIndex(reply));
  server.get<{ Params: { '*': string } }>('/dashboard/*', async (request, reply) => {
    const name = request.params['*'];
    // A missing file is a 404; every other path is a page of the dashboard.
    if (extname(name) === '') return sendIndex(reply);
    if (!files?.has(name) || name === 'index.html') return reply.callNotFound();
    const isNamedByContent = name.startsWith('assets/');
    const cacheControl = isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache';
    await files.sendFile(name, request, reply, cacheControl);
    return reply;
  });

  function sendIndex(reply: FastifyReply) {
    void reply.header('cache-control', 'no-store');
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
