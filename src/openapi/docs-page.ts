import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** What a file of the page is sent as. */
export interface DocsFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

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

const contentTypes = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

const files = new Map<string, Promise<DocsFile>>([
  [
    'start.js',
    Promise.resolve({
      contentType: 'text/javascript; charset=utf-8',
      bytes: Buffer.from(startScript),
    }),
  ],
]);

/** A file of the page, or null. The files are those of Swagger UI that come with @nestjs/swagger. */
export async function findDocsFile(name: string): Promise<DocsFile | null> {
  const contentType = contentTypes.get(name);
  if (contentType !== undefined && !files.has(name)) files.set(name, readUiFile(name, contentType));
  return (await files.get(name)) ?? null;
}

async function readUiFile(name: string, contentType: string): Promise<DocsFile> {
  const ownRequire = createRequire(import.meta.url);
  const swaggerRequire = createRequire(ownRequire.resolve('@nestjs/swagger'));
  const bytes = await readFile(swaggerRequire.resolve(`swagger-ui-dist/${name}`));
  return { contentType, bytes };
}
