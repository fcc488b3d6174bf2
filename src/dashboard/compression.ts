import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Below this, an answer fits into one packet as it is. */
const leastBytes = 1024;

/**
 * Compresses what the dashboard reads. Answers to POST stay as they are: only they show secrets, whose length an
 * attacker could guess from compressed sizes. The external API's answers are small.
 *
 * Call it before the application makes its routes.
 */
export async function compressDashboard(app: NestFastifyApplication): Promise<void> {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRoute', (route) => {
    const isRead = route.method === 'GET' && isOfDashboard(route.url);
    route.compress = isRead ? {} : false;
  });
  await server.register(compress, {
    global: false,
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: leastBytes,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
}

const isOfDashboard = (url: string) =>
  url.startsWith('/api/v1/dashboard/') || /^\/dashboard(\/\*)?$/.test(url);
