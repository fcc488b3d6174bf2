// npm run openapi: writes docs/openapi.json from the built API. With --check it only compares, and
// ends with 1 when the file is not what the API would say. With --routes it prints the routes that the
// API registers, for the test that compares them. It needs no database and opens no port.
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { pino } from 'pino';

const root = resolve(import.meta.dirname, '..');
const path = join(root, 'docs/openapi.json');

// The modules read a configuration; nothing of it is used.
process.env.DATABASE_URL = 'postgres://nobody@127.0.0.1:1/nothing';
process.env.SECRET_KEY = Buffer.alloc(32).toString('base64');

const { AppModule } = await import('../dist/src/app.module.js');
const { createDocument } = await import('../dist/src/openapi/document.js');
const adapter = new FastifyAdapter();
const routes = [];
adapter.getInstance().addHook('onRoute', ({ method, url }) => routes.push(`${method} ${url}`));
const app = await NestFactory.create(AppModule.forProcess(pino({ level: 'silent' })), adapter, {
  preview: true,
  abortOnError: false,
  logger: false,
});
const text = `${JSON.stringify(sorted(createDocument(app)), null, 2)}\n`;

if (process.argv.includes('--routes')) {
  await app.registerRouter();
  console.log(JSON.stringify(routes));
} else if (!process.argv.includes('--check')) {
  writeFileSync(path, text);
  console.log('wrote docs/openapi.json');
} else if (text !== readFileSync(path, { encoding: 'utf8', flag: 'a+' })) {
  console.error('docs/openapi.json is not what the API says: npm run openapi, and commit it.');
  process.exitCode = 1;
}

/** The same with the keys of every object in order, so that the file changes only where the API does. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, sorted(part)]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
