import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { addApiKey } from '../support/api-keys.js';
import { installation } from '../support/installation.js';
import { callerAddress, Proxy, proxyKinds } from '../support/proxy.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';
import { until } from '../support/until.js';

const json = { 'Content-Type': 'application/json' };
const restarts = 2;
const callers = 8;
const documentBytes = 100 * 1_048_576;

/** Whether this machine has the program; `npm test` names what is missing. */
const isThere = (program: string) =>
  !spawnSync(program, ['-v'], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: 'ignore',
  }).error;

for (const kind of proxyKinds.filter((proxy) => isThere(proxy) || process.env.CI)) {
  describe(`two APIs behind ${kind} as ops/proxy sets it up`, () => {
    let stack: Stack;
    let proxy: Proxy;

    beforeAll(async () => {
      stack = await Stack.start({
        own: true,
        apis: 2,
        env: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://parley.example.com' },
      });
      proxy = await Proxy.start(
        kind,
        stack.apis.map(({ url }) => url),
      );
    });

    afterAll(async () => {
      await proxy?.stop();
      await stack?.stop();
    });

    const call = (path: string, apiKey: string, init = {}) =>
      proxy.fetch(`/api/v1/external${path}`, {
        ...init,
        headers: { ...json, 'X-API-Key': apiKey },
      });

    it('lose no message and repeat none while the APIs restart one after the other', async () => {
      let answered = 0;
      const unanswered: string[] = [];
      const over = new AbortController();
      const send = async (key: string, body: string): Promise<void> => {
        const sent = await proxy.fetch('/api/v1/external/messages/interactive/button', {
          method: 'POST',
          headers: { ...json, 'X-API-Key': installation.apiKey, 'Idempotency-Key': key },
          body,
        });
        const text = await sent.text();
        if (sent.status === 200) {
          answered += 1;
          return;
        }
        unanswered.push(`${sent.status} ${text}`);
        // As callers should: the same request again.
        await send(key, body);
      };
      const caller = async () => {
        while (!over.signal.aborted)
          await send(randomUUID(), JSON.stringify(buttonMessage({ to: newRecipient() })));
      };
      const running = Array.from({ length: callers }, caller);
      const goesOn = (from: number) => until(() => answered > from + callers);
      for (let restart = 0; restart < restarts; restart++) {
        const api = stack.apis[restart % 2];
        await goesOn(answered);
        await api?.stop();
        await goesOn(answered);
        api?.launch();
        await api?.ready();
      }
      over.abort();
      await Promise.all(running);
      expect(await stack.ledger()).toHaveLength(answered);
      // nginx does not know that an API stops: it may lose a connection that the API has not taken yet.
      expect(unanswered.length).toBeLessThanOrEqual(kind === 'nginx' ? restarts : 0);
    }, 120_000);

    it('take the largest document as it arrives', async () => {
      const chunk = Buffer.alloc(64 * 1_024, kind);
      const hash = createHash('sha256');
      const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
      async function* form() {
        yield Buffer.from(`${head}%PDF-1.4\n`);
        hash.update('%PDF-1.4\n');
        for (let left = documentBytes - '%PDF-1.4\n'.length; left > 0; left -= chunk.length) {
          hash.update(chunk.subarray(0, left));
          yield chunk.subarray(0, left);
        }
        yield Buffer.from('\r\n--b--\r\n');
      }
      const uploaded = await proxy.fetch('/api/v1/external/media', {
        method: 'POST',
        headers: {
          'X-API-Key': installation.apiKey,
          'Content-Type': 'multipart/form-data; boundary=b',
        },
        body: form(),
        duplex: 'half',
      });
      expect(uploaded.status).toBe(200);
      const { data } = (await uploaded.json()) as { data: { size: number; sha256: string } };
      expect(data.size).toBe(documentBytes);
      expect(data.sha256).toBe(hash.digest('hex'));
    }, 120_000);

    it('let a reader of the feed wait', async () => {
      const { id, key } = await addApiKey(stack);
      await stack.sql('update api_keys set event_feed = true where id = $1', [id]);
      const waited = await call('/events?wait=10', key);
      expect(waited.status).toBe(200);
      expect(((await waited.json()) as { data: { events: object[] } }).data.events).toEqual([]);
    }, 60_000);

    it('know the caller’s address, and not the one that the caller claims', async () => {
      const keyFor = async (address: string) => {
        const { id, key } = await addApiKey(stack);
        await stack.sql('update api_keys set allowed_ips = $2 where id = $1', [id, [address]]);
        return key;
      };
      const claimed = '203.0.113.7';
      const codeOf = async (key: string) => {
        const headers = { 'X-API-Key': key, 'X-Forwarded-For': claimed };
        const answer = await proxy.fetch('/api/v1/external/messages', { headers });
        return ((await answer.json()) as { error?: { code: string } }).error?.code;
      };
      expect(await codeOf(await keyFor(claimed))).toBe('IP_NOT_ALLOWED');
      expect(await codeOf(await keyFor(callerAddress))).toBeUndefined();
    });

    it('serve the dashboard and no metrics', async () => {
      expect((await proxy.fetch('/dashboard')).status).toBe(200);
      expect((await proxy.fetch('/metrics')).status).toBe(404);
      expect(await (await proxy.fetch('/metrics')).text()).not.toContain('parley_');
    });
  });
}
