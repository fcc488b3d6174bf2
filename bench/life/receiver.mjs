import { serve } from '../cheap-http.mjs';
import { now, reported } from './message-kinds.mjs';

/**
 * The receiver of `--life`, a process of its own: notes when each event came, and how often.
 *
 * `/live` and `/whatsapp` answer after `delayMs`, `/hang/…` never. At `/whatsapp` come notifications in WhatsApp's own
 * form, of which only the first arrivals are counted.
 */
const { port, delayMs } = JSON.parse(process.argv[2]);

/** Arrivals by `webhook-id`: whether one was answered with 200, and whether the last one's caller still waits. */
let events = new Map();
/** Messages by their id: for each status when it came first, and in how many events. */
let messages = new Map();
let complete = 0;
let relayed = 0;
let arrivals = 0;
let hanging = 0;
/** Events that came again though they had been answered, or were just being answered, and those that had a cause. */
let doubled = 0;
let repeated = 0;
let others = [];

await serve(port, (request, answer) => {
  const { path } = request;
  if (path === '/live' || path === '/whatsapp') take(request, answer);
  else if (path === '/_bench/counts') answer(JSON.stringify(counts()));
  else if (path === '/_bench/take') answer(handOver());
  else hanging += 1;
});

function counts() {
  return { complete, relayed, arrivals, hanging, doubled, repeated, others };
}

function take({ path, head, body, isWaiting }, answer) {
  const arrivedAt = now();
  arrivals += 1;
  const id = /\r\nwebhook-id: *([^\r]*)/i.exec(head)[1];
  let event = events.get(id);
  if (event === undefined) {
    event = { isAnswered: false, isWaiting };
    events.set(id, event);
    if (path === '/whatsapp') relayed += 1;
    else note(JSON.parse(body), arrivedAt);
  } else if (event.isAnswered || event.isWaiting()) doubled += 1;
  else repeated += 1;

  event.isWaiting = isWaiting;
  const finish = () => {
    if (answer()) event.isAnswered = true;
  };
  if (delayMs > 0) setTimeout(finish, delayMs);
  else finish();
}

function note({ event, data }, arrivedAt) {
  const step = event === 'message.status' ? reported.indexOf(data.status) : -1;
  if (step === -1) {
    if (others.length < 10) others.push(`${event} ${data?.status} ${JSON.stringify(data?.error)}`);
    return;
  }
  let message = messages.get(data.message_id);
  if (message === undefined) {
    message = { times: [0, 0, 0], counts: [0, 0, 0], isComplete: false };
    messages.set(data.message_id, message);
  }
  message.counts[step] += 1;
  if (message.counts[step] > 1) return;
  message.times[step] = arrivedAt;
  const [sent, delivered, read] = message.counts;
  if (message.isComplete || sent === 0 || delivered === 0 || read === 0) return;
  message.isComplete = true;
  complete += 1;
}

/** A line for each message: its id, when each event came, and how often. Then forgets them. */
function handOver() {
  const lines = [];
  for (const [id, message] of messages) {
    lines.push(`${id} ${message.times.join(' ')} ${message.counts.join(' ')}`);
  }
  const answer = `${JSON.stringify(counts())}\n${lines.join('\n')}`;
  events = new Map();
  messages = new Map();
  complete = 0;
  relayed = 0;
  arrivals = 0;
  doubled = 0;
  repeated = 0;
  others = [];
  return answer;
}
