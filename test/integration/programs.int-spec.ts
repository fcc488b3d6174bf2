import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installation } from '../support/installation.js';
import { checkout } from '../support/npm-start.js';

describe('a program that fails', () => {
  it('names the line of our source', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(checkout, 'dist/src/seed.js')], {
      input: '{',
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: 'postgres://parley@127.0.0.1:1/parley',
        SECRET_KEY: installation.secretKey,
      },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/\/src\/seed\.ts:\d+:\d+/);
  });
});
