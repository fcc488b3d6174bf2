// npm run openapi: writes docs/openapi.json, docs/openapi.dashboard.json, docs/parley.postman.json and the limits of the
// dashboard's forms (web/src/api/limits, those that a form imports) from the built API. With --check it only compares, ends with 1 when a file is
// not what the API would say, and prints the routes that the API registers, for the test that compares them too. It needs
// no database and opens no port.
import './node-version.mjs';
import 'reflect-metadata';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pino } from 'pino';

const root = resolve(import.meta.dirname, '..');

const { AppModule } = await import('../dist/modules/src/app.module.js');
const { Config } = await import('../dist/modules/src/config/config.js');
const { createDocuments } = await import('../dist/modules/scripts/openapi/document.js');
const { formLimits } = await import('../dist/modules/scripts/openapi/form-limits.js');
const { postmanCollection } = await import('../dist/modules/scripts/openapi/postman.js');
const adapter = new FastifyAdapter();
const routes = [];
adapter.getInstance().addHook('onRoute', ({ method, url }) => routes.push(`${method} ${url}`));
// The modules need a configuration but use none of it here.
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
const isCheck = process.argv.includes('--check');
const documents = createDocuments(app);
documents['parley.postman.json'] = postmanCollection(documents['openapi.json']);
const files = Object.fromEntries(
  Object.entries(documents).map(([name, document]) => [
    `docs/${name}`,
    `${JSON.stringify(sorted(document), null, 2)}\n`,
  ]),
);
const limits = formLimits(sorted(documents['openapi.dashboard.json']));
const pages = readdirSync(join(root, 'web/src'), { recursive: true }).filter((path) =>
  /\.tsx?$/.test(path),
);
const imports = pages.map((path) => readFileSync(join(root, 'web/src', path), 'utf8')).join('\n');
for (const [name, text] of Object.entries(limits)) {
  if (imports.includes(`/limits/${name}'`)) files[`web/src/api/limits/${name}`] = text;
}
if (!isCheck) rmSync(join(root, 'web/src/api/limits'), { recursive: true, force: true });
for (const [path, text] of Object.entries(files)) {
  if (!isCheck) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`wrote ${path}`);
  } else if (text !== readFileSync(join(root, path), { encoding: 'utf8', flag: 'a+' })) {
    console.error(`${path} is not what the API says: npm run openapi, and commit it.`);
    process.exitCode = 1;
  }
}
if (isCheck) {
  await app.registerRouter();
  console.log(JSON.stringify(routes));
}

/** The same with the keys of every object in order, so that the file changes only where the API does. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, sorted(part)]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
