// npm run openapi: writes docs/openapi.json from the built API, and from it the types of the dashboard's
// page. With --check it only compares, ends with 1 when a file is not what the API would say, and prints the routes
// that the API registers, for the test that compares them too. It needs no database and opens no port.
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pino } from 'pino';

const root = resolve(import.meta.dirname, '..');
const documentPath = 'docs/openapi.json';
const typesPath = 'web/src/api/schemas.ts';

const { AppModule } = await import('../dist/modules/src/app.module.js');
const { Config } = await import('../dist/modules/src/config/config.js');
const { createDocument } = await import('../dist/modules/scripts/openapi/document.js');
const adapter = new FastifyAdapter();
const routes = [];
adapter.getInstance().addHook('onRoute', ({ method, url }) => routes.push(`${method} ${url}`));
// The modules need a configuration; nothing of it is used.
const config = new Config({
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
  SECRET_KEY: Buffer.alloc(32).toString('base64'),
});
const module = AppModule.forProcess(config, pino({ level: 'silent' }));
const app = await NestFactory.create(module, adapter, {
  preview: true,
  abortOnError: false,
  logger: false,
});
const document = sorted(createDocument(app));

const files = {
  [documentPath]: `${JSON.stringify(document, null, 2)}\n`,
  [typesPath]: await typesOf(document),
};
const isCheck = process.argv.includes('--check');
for (const [name, text] of Object.entries(files)) {
  const path = join(root, name);
  if (!isCheck) {
    writeFileSync(path, text);
    console.log(`wrote ${name}`);
  } else if (text !== readFileSync(path, { encoding: 'utf8', flag: 'a+' })) {
    console.error(`${name} is not what the API says: npm run openapi, and commit it.`);
    process.exitCode = 1;
  }
}
if (isCheck) {
  await app.registerRouter();
  console.log(JSON.stringify(routes));
}

/** The schemas as TypeScript; the page names its paths itself. */
async function typesOf({ openapi, info, components: { schemas } }) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const nodes = await openapiTS(
    { openapi, info, paths: {}, components: { schemas } },
    // A field of a request that has a default may be left out.
    { defaultNonNullable: false },
  );
  const head = `/** Made from ${documentPath} by \`npm run openapi\`; change the API instead. */\n\n`;
  const [, named] = /^export interface components \{\n([^]*?)^\}/m.exec(astToString(nodes)) ?? [];
  if (!named) throw new Error('openapi-typescript writes its types in another form than it did');
  return `${head}export interface components {\n${named}}\n`;
}

/** The same with the keys of every object in order, so that the file changes only where the API does. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, sorted(part)]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
