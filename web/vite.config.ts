import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { listPackages } from '../scripts/bundled-packages.mjs';

/** Puts `.br` and `.gz` next to every file of text; the API sends what the browser takes. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((each) => /\.(?:css|js|svg)$/.test(each))) {
      const file = readFileSync(join(dir, name));
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(file));
      writeFileSync(join(dir, `${name}.gz`), gzipSync(file, { level: 9 }));
    }
  },
};

export default defineConfig({
  base: '/dashboard/',
  plugins: [compressed, listPackages('dashboard')],
  // The API puts a fresh value in its place with each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  // For `npm run dev`, which sets the API's port.
  server: {
    proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? 3000}` },
    // The reading of numbers and the words for WhatsApp's codes come from libs, those for Parley's own from src.
    fs: {
      allow: ['.', '../libs/phone-numbers', '../libs/whatsapp', '../src/errors', '../node_modules'],
    },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The policy allows no font from a data: URL.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // A browser that does not know modulepreload loads the same files a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page needs compresses better as one file. Few pages ask before they are left.
            {
              name: 'base',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack(?!.*useBlocker)|use-sync-external-store)\//,
              priority: 2,
            },
            {
              name: 'common',
              // The words for WhatsApp’s codes are large, and few pages show any at first.
              test: /web\/src\/(?:parts(?!\/failure-(?:meanings|reason))|api|session)\/|@tabler/,
              minShareCount: 10,
              priority: 1,
            },
          ],
        },
      },
      // The packages mark modules for servers that render; there is none here.
      onLog(level, log, handler) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handler(level, log);
      },
    },
  },
});
