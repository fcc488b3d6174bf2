import { text } from 'node:stream/consumers';

const given = JSON.parse(await text(process.stdin));
console.log(JSON.stringify({ level: 30, msg: `set up for ${given.admin_email}` }));
console.log(JSON.stringify({ account_id: '01935c5e-0000-7000-8000-000000000000' }));
