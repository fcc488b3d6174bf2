import { defineConfig } from 'vite';

export default defineConfig({
  base: '/dashboard/',
  // The API puts a fresh value in its place with each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  // For `npm run dev`, which sets the API's port.
  server: {
    proxy: { '/api': `http://127.0.0.1:${process.env.PORT ?? 3000}` },
    // The words for WhatsApp's codes come from libs.
    fs: { allow: ['.', '../libs/whatsapp', '../node_modules'] },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The policy allows no font from a data: URL.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // The packages mark modules for servers that render; there is none here.
      onLog(level, log, handler) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handler(level, log);
      },
    },
  },
});
