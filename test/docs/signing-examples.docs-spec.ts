import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signatureHeaders } from '../../clients/typescript/src/signing.js';

const examples = join(process.cwd(), 'docs/examples');
const secret = 'sgsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const timestamp = 1_795_000_000;
const nonce = '7f3c2a9e5b1d4c60';

/** The vectors that docs/signing.md publishes; src/auth/request-signature.spec.ts holds us to them. */
const vectors = [
  {
    name: 'a send',
    method: 'POST',
    target: '/api/v1/external/messages/interactive/button',
    body: '{"to":"+15550001111","body":"Pick one","buttons":[{"id":"y","title":"Yes"}]}',
    signature: 'v1=780d3a9862bb281804b061db60d214136d634df952bed8e8a296a809834e5895',
  },
  {
    name: 'a read',
    method: 'GET',
    target: '/api/v1/external/templates?language=en&page=2',
    body: '',
    signature: 'v1=1d9bcae27c124332eebe0136b3bcc8537c02975d865bcf7dd17718f77215bbff',
  },
];

const headersOf = (signature: string) => ({
  'X-Timestamp': String(timestamp),
  'X-Nonce': nonce,
  'X-Signature': signature,
});

const pythonProgram = `
import json, sys
from sign import signature_headers
secret, method, target, body, timestamp, nonce = json.load(sys.stdin)
print(json.dumps(signature_headers(secret, method, target, body.encode(), timestamp, nonce)))`;

function runPython(program: string, input: unknown) {
  return spawnSync('python3', ['-B', '-c', program], {
    cwd: examples,
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
}

const hasPython = runPython('', null).status === 0;
// scripts/test.mjs names what is left out where there is no Python.
const withPython = hasPython ? describe : describe.skip;

describe('the TypeScript client', () => {
  it.each(vectors)('signs $name as published', ({ method, target, body, signature }) => {
    const headers = signatureHeaders(secret, { method, target, body }, timestamp, nonce);
    expect(headers).toEqual(headersOf(signature));
  });
});

withPython('the Python client of docs/signing.md', () => {
  it.each(vectors)('signs $name as published', ({ method, target, body, signature }) => {
    const { stdout, stderr } = runPython(pythonProgram, [
      secret,
      method,
      target,
      body,
      timestamp,
      nonce,
    ]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(headersOf(signature));
  });
});

describe('docs/signing.md', () => {
  const page = readFileSync(join(process.cwd(), 'docs/signing.md'), 'utf8');

  it('publishes these vectors and no other signature', () => {
    const published = [...page.matchAll(/v1=[0-9a-f]{64}/g)].map(([text]) => text);
    expect(new Set(published)).toEqual(new Set(vectors.map(({ signature }) => signature)));
    for (const text of [secret, String(timestamp), nonce, ...vectors.map(({ target }) => target)]) {
      expect(page).toContain(text);
    }
  });
});
