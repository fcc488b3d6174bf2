import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMetadataStorage } from 'class-validator';
import { Config } from './config.js';
import { EnvironmentDto } from './environment.dto.js';

/** What `npm start` and the simulator read; the API and the worker do not know them. */
const ofTheSupervisor = ['DATA_DIR', 'SIMULATOR_PORT', 'SIMULATOR_WEBHOOK_URL'];

const read = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

const names = (matches: Iterable<RegExpMatchArray>) =>
  [...matches].map(([, name = '']) => name).toSorted();

const declared = new Set(
  getMetadataStorage()
    .getTargetValidationMetadatas(EnvironmentDto, '', false, false)
    .map(({ propertyName }) => propertyName),
);
const expected = [...declared, ...ofTheSupervisor].toSorted();

const example = read('.env.example');
const examples = new Map(
  [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

const defaults = Object.entries(new EnvironmentDto()).filter(([, value]) => value !== undefined);

describe('.env.example', () => {
  it('lists every variable that is read, and no other', () => {
    expect(names(example.matchAll(/^#([A-Z_]+)=/gm))).toEqual(expected);
  });

  it.each(defaults)('shows the default of %s', (name, value) => {
    expect(examples.get(name)).toBe(String(value));
  });

  it('shows the default schedule of deliveries', () => {
    const config = new Config({
      DATABASE_URL: 'postgres://parley@127.0.0.1/parley',
      SECRET_KEY: Buffer.alloc(32).toString('base64'),
    });
    expect(examples.get('WEBHOOK_RETRY_SECONDS')).toBe(config.webhookRetrySeconds.join(','));
  });
});

describe('the table of variables in docs/configuration.md', () => {
  const page = read('docs/configuration.md');
  const table = [...page.matchAll(/^\| `([A-Z_]+)` *\| (.+?) *\|/gm)];

  it('lists every variable that is read, and no other', () => {
    expect(names(table)).toEqual(expected);
  });

  it.each(defaults)('shows the default of %s', (name, value) => {
    const row = table.find(([, variable]) => variable === name);
    expect(row?.[2]).toBe(`\`${String(value)}\``);
  });
});
