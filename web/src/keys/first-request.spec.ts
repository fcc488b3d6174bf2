import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { firstSignedRequest } from './first-request.ts';

/** What the script would give to curl. */
function curlArguments(script: string): string[] {
  const instead = 'curl() { printf "%s\\0" "$@"; }\n';
  return execFileSync('sh', ['-c', instead + script], { encoding: 'utf8' }).split('\0');
}

describe('the first request of a key that takes signed ones only', () => {
  it('carries the signature that docs/signing.md describes', () => {
    const bytes = Buffer.alloc(32, 7);
    const secrets = { key: 'pk_live_x', signing_secret: `sgsec_${bytes.toString('base64')}` };
    const given = curlArguments(firstSignedRequest('http://127.0.0.1:3000', secrets));
    const header = (name: string) =>
      given.find((text) => text.startsWith(`${name}: `))?.slice(name.length + 2);
    const body = given[given.indexOf('-d') + 1] ?? '';
    expect(JSON.parse(body)).toMatchObject({ to: '+447700900142' });
    const signed = [
      'v1',
      header('X-Timestamp'),
      header('X-Nonce'),
      'POST',
      new URL(given[0] ?? '').pathname,
      createHash('sha256').update(body).digest('hex'),
    ].join('\n');
    const signature = createHmac('sha256', bytes).update(signed).digest('hex');
    expect(header('X-Signature')).toBe(`v1=${signature}`);
    expect(header('X-Nonce')).toMatch(/^[\da-f]{32}$/);
  });
});
