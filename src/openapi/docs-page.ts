import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../config/checkout.js';
import { StaticFiles } from '../http/server/static-files.js';

/**
 * Nothing from elsewhere, and no script but ours: an answer shown on the page cannot run. The page builds its styles in
 * the browser.
 */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page; everything else on it comes from `docs/:file`. */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parley API</title>
    <link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
    <link rel="stylesheet" href="/docs/page.css">
  </head>
  <body>
    <nav class="way-back"><a href="/dashboard">Back to the dashboard</a></nav>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/reference.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const pageStyle = `:root { --scalar-custom-header-height: 44px; }
body { margin: 0; }
.way-back { box-sizing: border-box; height: 44px; padding: 12px 20px; font: 14px/20px system-ui, sans-serif; }
.way-back a { color: #4349b5; }
.light-mode { --scalar-color-accent: #4349b5; }
.dark-mode { --scalar-color-accent: #a9aff5; --scalar-background-1: #121317; }
body.dark-mode { background: #121317; }
body.dark-mode .way-back a { color: #a9aff5; }
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 2h12v9H7l-4 3v-3H2z" fill="#4349b5"/></svg>
`;

// The dashboard stores the theme; without one, the system's holds, as it does there. Keys typed into the page are not
// stored, and nothing is asked from elsewhere.
const startScript = `const chosen = localStorage.getItem('mantine-color-scheme-value');
const isDark =
  chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);

Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  forceDarkModeState: isDark ? 'dark' : 'light',
  hideDarkModeToggle: true,
  withDefaultFonts: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  persistAuth: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
`;

let files: StaticFiles | null = null;

/** The files of the page, read on the first request for it. */
export function docsFiles(): StaticFiles {
  files ??= new StaticFiles(
    new Map([
      ['start.js', Buffer.from(startScript)],
      ['page.css', Buffer.from(pageStyle)],
      ['icon.svg', Buffer.from(icon)],
      ['reference.js', readFileSync(join(checkout, 'vendor/scalar/standalone.js'))],
    ]),
  );
  return files;
}

/** The OpenAPI documents of this version, as `npm run openapi` wrote them. */
export function readDocuments(): StaticFiles {
  const names = ['openapi.json', 'openapi.dashboard.json'];
  return new StaticFiles(
    new Map(names.map((name) => [name, readFileSync(join(checkout, 'docs', name))])),
  );
}
