// Sends a message, waits for what comes of it, and reads it back. Run it with PARLEY_URL and PARLEY_KEY:
//   node send.ts +14155550123      (Node 22.18 or newer runs TypeScript as it is)
import { Parley, SendFailedError } from 'parley-client';

const {
  PARLEY_URL = 'http://127.0.0.1:3000',
  PARLEY_KEY = '',
  PARLEY_SIGNING_SECRET,
} = process.env;
const [to = '+14155550123'] = process.argv.slice(2);

const parley = new Parley({
  baseUrl: PARLEY_URL,
  apiKey: PARLEY_KEY,
  ...(PARLEY_SIGNING_SECRET && { signingSecret: PARLEY_SIGNING_SECRET }),
});

try {
  const { message_id } = await parley.sendButtons({
    to,
    body: 'Has your order arrived?',
    buttons: [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No' },
    ],
    reference: 'order-1042',
  });
  const { status, timeline } = await parley.getMessage(message_id);
  process.stdout.write(`${message_id} is ${status} after ${timeline.length} changes\n`);
} catch (error) {
  if (!(error instanceof SendFailedError)) throw error;
  const { platformCode, platformMessage, isRetryable } = error;
  process.stdout.write(`failed: ${platformCode} ${platformMessage}; retryable: ${isRetryable}\n`);
  process.exitCode = 1;
}
