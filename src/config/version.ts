import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from './checkout.js';

/** The version of this program. */
export const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
  version: string;
};

/** How it names itself to WhatsApp and to receivers of webhooks. */
export const userAgent = `Parley/${version}`;
