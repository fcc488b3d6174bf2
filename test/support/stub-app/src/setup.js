import { text } from 'node:stream/consumers';
import { log } from './serve.js';

const given = JSON.parse(await text(process.stdin));
log({ level: 30, msg: `set up for ${given.admin_email}` });
log({ account_id: '01935c5e-0000-7000-8000-000000000000' });
