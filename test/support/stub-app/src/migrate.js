import { log } from './serve.js';

log({ level: 30, msg: 'nothing to migrate' });
