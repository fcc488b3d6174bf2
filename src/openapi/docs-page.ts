import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { checkout } from '../config/checkout.js';
import { StaticFiles } from '../http/server/static-files.js';

/** Nothing from elsewhere and nothing inline: an answer shown on the page cannot run. */
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
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

// The validator is a third party's server, and keys typed into the page are not stored.
const startScript = `window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  validatorUrl: null,
  persistAuthorization: false,
});
`;

/** Of Swagger UI, which comes with @nestjs/swagger. */
const uiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

let files: StaticFiles | null = null;

/** The files of the page, read on the first request for it. */
export function docsFiles(): StaticFiles {
  files ??= new StaticFiles(
    new Map([
      ['start.js', Buffer.from(startScript)],
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
