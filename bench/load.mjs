import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { HttpConnection } from './cheap-http.mjs';

/**
 * The load generator, a process of its own so that neither side's event loop distorts its clock: a closed loop over
 * keep-alive connections, each with one request open at a time. It reads its plan as JSON from standard input and
 * prints one line of JSON.
 *
 * Plan: `port`, or `ports` to spread the connections over; `path`; `headers`; `body` with `{recipient}` (four digits)
 * and `{reference}` (ten digits) in it, or `requests`, a list of `headers` and `body` that take turns; `others`, another
 * such list, and `othersShare`, their share; `success`, the text that the body of a 200, or of `status`, must contain;
 * `connections`; `warmUpMs`; `measureMs`; `perSecond`, at most so many requests a second (as many as the connections can do without
 * it).
 *
 * Result: `succeeded` and `failed` count every request from first to last, warm-up included; `seconds` and
 * `latencies` (milliseconds, 32-bit floats in base64) cover the answers that arrived between warm-up and end. All of
 * them are handed over, so that several runs together still have exact percentiles.
 */
const plan = JSON.parse(await text(process.stdin));

const answerTimeoutMs = 30_000;
const recipients = 10_000;

const startedAt = performance.now();
const measureFrom = startedAt + plan.warmUpMs;
const measureTo = measureFrom + plan.measureMs;

let latencies = new Float32Array(1 << 18);
let measured = 0;
let succeeded = 0;
let failed = 0;
let sequence = 0;
const failures = [];

const ports = plan.ports ?? [plan.port];
const requests = (plan.requests ?? [plan]).map(compileRequest);
const others = (plan.others ?? []).map(compileRequest);
const othersShare = plan.othersShare ?? 0;

await Promise.all(Array.from({ length: plan.connections }, (_, index) => runConnection(index)));

process.stdout.write(
  `${JSON.stringify({
    succeeded,
    failed,
    failures,
    seconds: plan.measureMs / 1000,
    latencies: Buffer.from(latencies.buffer, 0, measured * 4).toString('base64'),
  })}\n`,
);
process.exit();

/** Sends one request after the other on one connection until the time is up and the last answer is in. */
async function runConnection(index) {
  const connection = new HttpConnection(ports[index % ports.length], {
    timeoutMs: answerTimeoutMs,
  });
  while (performance.now() < measureTo) {
    const number = sequence++;
    if (plan.perSecond) {
      const dueAt = startedAt + (number / plan.perSecond) * 1000;
      if (dueAt >= measureTo) break;
      const waitMs = dueAt - performance.now();
      if (waitMs > 0) await pause(waitMs);
    }
    const sentAt = performance.now();
    const isAnswered = await new Promise((resolve) => {
      connection.send(formatRequest(number), (status, body) => {
        record(status, body, sentAt);
        resolve(status !== 0);
      });
    });
    // A connection that breaks ends here instead of reconnecting: a run with a failure in it is not a result.
    if (!isAnswered) break;
  }
  connection.close();
}

function record(status, body, sentAt) {
  const now = performance.now();
  if (status !== (plan.status ?? 200) || !body.includes(plan.success)) {
    recordFailure(`${status} ${body}`);
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
function compileRequest({ headers, body }) {
  const [beforeRecipient, rest] = body.split('{recipient}');
  const [middle, afterReference] = rest.split('{reference}');
  const length = Buffer.byteLength(beforeRecipient + middle + afterReference) + 4 + 10;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = `POST ${plan.path} HTTP/1.1\r\nHost: 127.0.0.1:${ports[0]}\r\n`;
  return {
    head: `${start}${lines.join('')}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${beforeRecipient}`,
    beforeReference: middle,
    tail: afterReference,
  };
}

/** Both lists are mixed evenly, and in each of them all take turns. */
function requestOf(number) {
  const othersBefore = Math.floor(number * othersShare);
  const isOther = Math.floor((number + 1) * othersShare) > othersBefore;
  return isOther
    ? others[othersBefore % others.length]
    : requests[(number - othersBefore) % requests.length];
}

function formatRequest(number) {
  const { head, beforeReference, tail } = requestOf(number);
  const recipient = String(number % recipients).padStart(4, '0');
  return head + recipient + beforeReference + String(number).padStart(10, '0') + tail;
}
