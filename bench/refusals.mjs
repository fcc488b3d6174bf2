import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { startServices } from './services.mjs';

/**
 * What the time of a refusal tells a stranger: it must not depend on how much of a key or signature is right, nor on
 * whether there is such a user. Calls of two kinds are made in turns, in an order that changes, and compared in pairs.
 */
export async function runRefusals(group, { store, pairs }, directory, progress) {
  const { product } = await startServices(group, {
    store,
    directory,
    isProductWanted: true,
    isNaiveWanted: false,
    productEnv: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' },
  });
  const { createApiKey } = await import('../dist/modules/src/api-keys/api-key-token.js');
  const { sign } = await import('../dist/modules/src/auth/request-signature.js');
  const call = (method, path, headers = {}, body = '') =>
    callApi(product.port, method, path, { 'x-forwarded-for': anyAddress(), ...headers }, body);
  const json = { 'content-type': 'application/json' };

  const signIn = (email, password) =>
    call('POST', '/api/v1/dashboard/session', json, JSON.stringify({ email, password }));
  const session = await signIn(product.admin.email, product.admin.password);
  const cookie = session.headers['set-cookie'][0].split(';')[0];
  const operator = { cookie, origin: `http://127.0.0.1:${product.port}`, ...json };
  const accounts = await call('GET', '/api/v1/dashboard/accounts', operator);
  const made = await call(
    'POST',
    '/api/v1/dashboard/api-keys',
    operator,
    JSON.stringify({
      account_id: JSON.parse(accounts.text).data.accounts[0].id,
      name: 'refusals',
      mode: 'live',
      permissions: ['view_messages'],
      rate_limit_per_minute: 1_000_000,
      daily_limit: 1_000_000,
    }),
  );
  const { key, signing_secret: signingSecret } = JSON.parse(made.text).data;

  const target = '/api/v1/external/messages?limit=1';
  const use = (headers) => call('GET', target, headers);
  const wrongSignatureAt = (index) => () => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const signed = { method: 'GET', target, body: Buffer.alloc(0) };
    const right = sign(signingSecret, signed, timestamp, '').toString('hex');
    const wrong = `${right.slice(0, index)}${right[index] === '0' ? 1 : 0}${right.slice(index + 1)}`;
    return use({
      'x-api-key': key,
      'x-timestamp': String(timestamp),
      'x-signature': `v1=${wrong}`,
    });
  };

  const comparisons = [
    [
      'a key with the right beginning, any key',
      pairs,
      () => use({ 'x-api-key': similarTo(key, createApiKey('live')) }),
      () => use({ 'x-api-key': createApiKey('live') }),
    ],
    [
      'a signature wrong at its beginning, at its end',
      pairs,
      wrongSignatureAt(0),
      wrongSignatureAt(63),
    ],
    [
      'a user with a wrong password, no user',
      Math.ceil(pairs / 5),
      () => signIn(product.admin.email, 'not the password'),
      () => signIn(`${randomUUID()}@parley.example`, 'not the password'),
    ],
  ];
  const errors = { unexpected_answers: 0 };
  const refusals = [];
  for (const [name, count, ...kinds] of comparisons) {
    progress(name);
    const { statuses, ...figures } = await group.orFailure(compare(count, kinds));
    errors.unexpected_answers += statuses.filter((status) => status !== 401).length;
    refusals.push({ name, ...figures });
  }
  return { store, refusals, errors, failures: [] };
}

/** A table of the medians, in milliseconds. */
export function formatRefusals({ refusals }) {
  const rows = refusals.map(({ name, pairs, medianMs, differenceMs, standardErrorMs }) =>
    [
      name.padEnd(48),
      `${medianMs.map((each) => each.toFixed(2)).join(' and ')} ms`,
      `${differenceMs.toFixed(3)} ± ${standardErrorMs.toFixed(3)} ms apart in ${pairs} pairs`,
    ].join('  '),
  );
  return `${rows.join('\n')}\n`;
}

async function compare(pairs, kinds) {
  const durations = [[], []];
  const statuses = [];
  // The first ones warm up.
  for (let pair = -10; pair < pairs; pair += 1) {
    for (const kind of pair % 2 === 0 ? [0, 1] : [1, 0]) {
      const startedAt = performance.now();
      const { status } = await kinds[kind]();
      if (pair >= 0) durations[kind].push(performance.now() - startedAt);
      statuses.push(status);
    }
  }
  const differences = durations[0].map((duration, pair) => duration - durations[1][pair]);
  const difference = median(differences);
  const spread = median(differences.map((each) => Math.abs(each - difference)));
  return {
    pairs,
    statuses,
    medianMs: durations.map(median),
    differenceMs: difference,
    // Of a median, for differences that are about normal.
    standardErrorMs: (1.2533 * 1.4826 * spread) / Math.sqrt(pairs),
  };
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function callApi(port, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      text(answer).then(
        (read) => resolve({ status: answer.statusCode, headers: answer.headers, text: read }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** An address of its own: limits by address are not measured here. */
function anyAddress() {
  const part = () => randomBytes(2).toString('hex');
  return `2001:db8:${part()}:${part()}::1`;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A well-formed key that differs from another one in its last random characters only, which are those of a third. */
function similarTo(key, third) {
  const start = key.slice(0, 34) + third.slice(34, 42);
  let rest = crc32(start);
  let checksum = '';
  for (let index = 0; index < 6; index += 1) {
    checksum = `${digits[rest % 62]}${checksum}`;
    rest = Math.floor(rest / 62);
  }
  return start + checksum;
}
