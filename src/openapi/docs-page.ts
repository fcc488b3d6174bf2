import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { checkout } from '../config/checkout.js';
import { StaticFiles } from '../http/server/static-files.js';

/** Forbids scripts that are inline or from other hosts, so that no answer that the page shows can run. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
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
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/page.css">
    <script src="/docs/theme.js"></script>
  </head>
  <body>
    <nav class="way-back"><a href="/dashboard">Back to the dashboard</a></nav>
    <div id="swagger-ui"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The dashboard stores the choice; without one, the system's theme holds, as it does there. */
const themeScript = `{
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark-mode', dark);
}
`;

const pageStyle = `body { margin: 0; }
html.dark-mode body { background: #121317; }
.way-back { padding: 14px 20px; font: 14px/20px system-ui, sans-serif; }
.way-back a { color: #4349b5; }
html.dark-mode .way-back a { color: #a9aff5; }
`;

// Swagger UI renders Markdown in descriptions, but neither in summaries nor in those of headers. The validator is a
// third party's server, and keys typed into the page are not stored.
const startScript = `const isText = (name, parents) =>
  name === 'summary' || (name === 'description' && parents.at(-2) === 'headers');

const withoutMarks = (value, parents) => {
  if (Array.isArray(value)) return value.map((each) => withoutMarks(each, [...parents, '']));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      typeof each === 'string' && isText(name, parents)
        ? each.replaceAll('\`', '')
        : withoutMarks(each, [...parents, name]),
    ]),
  );
};

fetch('/openapi.json')
  .then((response) => response.json())
  .then((spec) =>
    window.SwaggerUIBundle({
      spec: withoutMarks(spec, []),
      dom_id: '#swagger-ui',
      deepLinking: true,
      docExpansion: 'list',
      validatorUrl: null,
      persistAuthorization: false,
    }),
  );
`;

/** The files of Swagger UI, which comes with @nestjs/swagger. */
const uiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

let files: StaticFiles | null = null;

/** The files of the page, read on the first request for it. */
export function docsFiles(): StaticFiles {
  files ??= new StaticFiles(
    new Map([
      ['start.js', Buffer.from(startScript)],
      ['theme.js', Buffer.from(themeScript)],
      ['page.css', Buffer.from(pageStyle)],
      ...uiFiles.map((name) => [name, readUiFile(name)] as const),
    ]),
  );
  return files;
}

/** The OpenAPI document of this version, as `npm run openapi` wrote it. */
export function readDocument(): StaticFiles {
  return new StaticFiles(
    new Map([['openapi.json', readFileSync(join(checkout, 'docs/openapi.json'))]]),
  );
}

function readUiFile(name: string): Buffer {
  const ownRequire = createRequire(import.meta.url);
  const swaggerRequire = createRequire(ownRequire.resolve('@nestjs/swagger'));
  return readFileSync(swaggerRequire.resolve(`swagger-ui-dist/${name}`));
}
