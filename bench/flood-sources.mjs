import { randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Reads its task as JSON from the standard input and floods an installation with it for `seconds`. What is answered does
 * not matter. `bench/floods.mjs` starts it.
 */
const task = JSON.parse(await readAll(process.stdin));
const { port, seconds } = task;
const endsAt = performance.now() + seconds * 1_000;
const isOver = () => performance.now() > endsAt;

const floods = {
  /** Notifications of 16 KiB with a false signature, 110 a second. */
  async forged() {
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: { text: 'x'.repeat(16_000) } }] }],
    });
    for (let sent = 0; !isOver(); sent += 1) {
      void call('POST', '/api/v1/platform/whatsapp/webhooks', body, {
        'X-Hub-Signature-256': `sha256=${randomBytes(32).toString('hex')}`,
      });
      await pause(9);
    }
  },

  /** Twelve searches at once in a million deliveries, by one user. */
  searches() {
    return atOnce(12, (number) =>
      call('GET', `/api/v1/dashboard/webhook-deliveries?phone=%2B49301234${100 + number}`, null, {
        Cookie: task.cookie,
      }),
    );
  },

  /** 16 uploads of one key, each as slow as is allowed. */
  uploads() {
    return atOnce(16, slowUpload);
  },

  /** 2,000 programs that read one key's feed, each again ten seconds after an answer that came at once. */
  feeds() {
    return atOnce(2_000, readFeed, 10_000);
  },

  /** The same for programs that do not begin in one instant. */
  spread_feeds() {
    return atOnce(2_000, readFeed, 10_000, 10_000);
  },

  /** 18 endpoints of one account whose answers come a byte a second, and a message for them 20 times a second. */
  async endpoints() {
    const receiver = createServer(async (incoming, answer) => {
      incoming.resume();
      answer.writeHead(200);
      for (let second = 0; second < 14 && !isOver(); second += 1) {
        answer.write('.');
        await pause(1_000);
      }
      answer.end();
    });
    receiver.listen(task.receiverPort, '127.0.0.1');
    while (!isOver()) {
      void call('POST', task.send.path, task.send.body, {
        ...task.headers,
        Prefer: 'respond-async',
      });
      await pause(50);
    }
  },
};

await Promise.race([floods[task.flood](), pause(seconds * 1_000)]);
process.exit(0);

/**
 * @param restMs the pause after an answer that came at once; nobody's network is faster than the default.
 * @param spreadMs the time over which the beginnings are spread.
 */
async function atOnce(count, work, restMs = 20, spreadMs = 0) {
  const loop = async (number) => {
    await pause((number * spreadMs) / count);
    while (!isOver()) {
      const startedAt = performance.now();
      await work(number);
      if (performance.now() - startedAt < restMs) await pause(restMs);
    }
  };
  await Promise.all(Array.from({ length: count }, (_, number) => loop(number)));
}

function readFeed() {
  return call('GET', '/api/v1/external/events?wait=25', null, task.headers);
}

/** Resolves with any end of the call. */
function call(method, path, body, headers) {
  return new Promise((resolve) => {
    const type = body && { 'Content-Type': 'application/json' };
    const sent = request({ port, method, path, headers: { ...type, ...headers } }, (answer) => {
      answer.resume();
      answer.on('close', resolve);
    });
    sent.on('error', resolve);
    sent.end(body);
  });
}

function slowUpload() {
  const boundary = 'x'.repeat(20);
  return new Promise((resolve) => {
    const headers = {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      ...task.headers,
    };
    const sent = request(
      { port, method: 'POST', path: '/api/v1/external/media', headers },
      (answer) => {
        answer.resume();
        answer.on('close', resolve);
      },
    );
    const trickle = setInterval(() => sent.write(Buffer.alloc(8_000)), 100);
    sent.on('error', resolve);
    sent.on('close', () => clearInterval(trickle));
    sent.write(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4`,
    );
  });
}

async function readAll(stream) {
  let text = '';
  for await (const part of stream) text += part;
  return text;
}
