import { text } from 'node:stream/consumers';
import { log } from './serve.js';

const given = JSON.parse(await text(process.stdin));
if (process.env.STUB_SET_UP_TAKES_LONG) await untilAskedToStop();
log({ level: 30, msg: `set up for ${given.admin_email}` });
log({ account_id: '01935c5e-0000-7000-8000-000000000000' });

/** Takes half a second to stop, as a program does that has something to finish. */
async function untilAskedToStop() {
  const waiting = setInterval(() => {}, 1_000);
  await new Promise((resolve) => process.once('SIGTERM', resolve));
  clearInterval(waiting);
  await new Promise((resolve) => setTimeout(resolve, 500));
}
