import { createConnection } from 'node:net';

/**
 * The load generator, a process of its own so that neither side's event loop distorts its clock: a closed loop over
 * keep-alive connections, each with one request open at a time. It reads its plan as JSON from the first argument
 * and prints one line of JSON.
 *
 * It speaks HTTP/1.1 over plain sockets because a general client costs more per request than the simulator does, and
 * the machine under test pays for it. The price: answers must carry a content-length.
 *
 * Plan: `port`; `path`; `headers`; `body` with `{recipient}` (four digits) and `{reference}` (ten digits) in it;
 * `success`, the text that the body of a 200 must contain; `connections`; `warmUpMs`; `measureMs`.
 *
 * Result: `succeeded` and `failed` count every request from first to last, warm-up included; `seconds` and
 * `latencies` (milliseconds, 32-bit floats in base64) cover the answers that arrived between warm-up and end. All of
 * them are handed over, so that whoever joins several runs still has exact percentiles.
 */
const plan = JSON.parse(process.argv[2]);

const ANSWER_TIMEOUT_MS = 30_000;
const RECIPIENTS = 10_000;

const startedAt = performance.now();
const measureFrom = startedAt + plan.warmUpMs;
const measureTo = measureFrom + plan.measureMs;

let latencies = new Float32Array(1 << 18);
let measured = 0;
let succeeded = 0;
let failed = 0;
let sequence = 0;
const failures = [];

const { head, tail, beforeReference } = compileRequest();

await Promise.all(Array.from({ length: plan.connections }, runConnection));

process.stdout.write(
  `${JSON.stringify({
    succeeded,
    failed,
    failures,
    seconds: plan.measureMs / 1000,
    latencies: Buffer.from(latencies.buffer, 0, measured * 4).toString('base64'),
  })}\n`,
);

/** Sends one request after the other on one connection until the time is up and the last answer is in. */
function runConnection() {
  return new Promise((resolve) => {
    const socket = createConnection({
      host: '127.0.0.1',
      port: plan.port,
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(64 * 1024), callback: onBytes },
    });
    let received = '';
    let sentAt = 0;

    socket.once('connect', sendNext);
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error('no answer in time')));
    socket.once('error', (error) => giveUp(error.message));
    socket.once('end', () => giveUp('the server closed the connection'));

    function sendNext() {
      if (performance.now() >= measureTo) {
        socket.removeAllListeners('end');
        socket.end();
        resolve();
        return;
      }
      sequence += 1;
      const recipient = String(sequence % RECIPIENTS).padStart(4, '0');
      const reference = String(sequence).padStart(10, '0');
      sentAt = performance.now();
      socket.write(head + recipient + beforeReference + reference + tail, 'latin1');
    }

    function onBytes(length, buffer) {
      const text = buffer.latin1Slice(0, length);
      received = received === '' ? text : received + text;
      const answer = parseAnswer(received);
      if (answer === null) return true;
      received = '';
      record(answer, sentAt);
      sendNext();
      return true;
    }

    // A connection that breaks ends here instead of reconnecting: a run with a failure in it is not a result.
    function giveUp(reason) {
      recordFailure(reason);
      socket.destroy();
      resolve();
    }
  });
}

function record(answer, sentAt) {
  const now = performance.now();
  if (answer.status !== 200 || !answer.body.includes(plan.success)) {
    recordFailure(`${answer.status} ${answer.body}`);
    return;
  }
  succeeded += 1;
  if (now < measureFrom || now >= measureTo) return;
  if (measured === latencies.length) {
    const larger = new Float32Array(latencies.length * 2);
    larger.set(latencies);
    latencies = larger;
  }
  latencies[measured] = now - sentAt;
  measured += 1;
}

function recordFailure(text) {
  failed += 1;
  if (failures.length < 3) failures.push(text.slice(0, 500));
}

/** The request cut at its two variable places; both have a fixed width, so the content-length never changes. */
function compileRequest() {
  const [beforeRecipient, rest] = plan.body.split('{recipient}');
  const [middle, afterReference] = rest.split('{reference}');
  const length = Buffer.byteLength(beforeRecipient + middle + afterReference) + 4 + 10;
  const headers = Object.entries(plan.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = `POST ${plan.path} HTTP/1.1\r\nHost: 127.0.0.1:${plan.port}\r\n`;
  return {
    head: `${start}${headers.join('')}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${beforeRecipient}`,
    beforeReference: middle,
    tail: afterReference,
  };
}

/** Returns null while the answer is incomplete. */
function parseAnswer(text) {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd));
  const status = Number(text.slice(9, 12));
  if (length === null) return { status: 0, body: `answer without content-length, HTTP ${status}` };
  const body = text.slice(headEnd + 4);
  return body.length < Number(length[1]) ? null : { status, body };
}
