import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

export const usageText = `usage: npm run bench -- --life [options]
  --json                    one line of JSON instead of a table
  --store redis|postgres    what carries the product's queues and quotas (default redis)
  --connections 64          how many callers at once
  --rate N                  sends a second; without it as many as the connections can do
  --seconds 8               how long each turn sends
  --turns 5                 turns of lives, and as many of plain sends in between
  --tail-seconds 30         how long processor time is counted on after the last event
  --warm-up-seconds 8       how long the turn before the first sends
  --only life               no turns of plain sends
  --against DIR             turns of plain sends of another version too: a checkout that is built
  --pace N|none             the numbers' pace; that of a new account without it. There are as many numbers as --rate
                            needs at half their pace (for 2,000 a second without it); with none, one
  --receiver-ms N           how long the receiver takes to answer
  --dead refused|hang       other keys' endpoints that refuse connections, or never answer; without a pace
  --dead-endpoints 1        how many of them
  --dead-share 0.5          their share of the sends
  --history N               so many messages, and three finished events of each, are there already
  --snapshot                a transaction holds a snapshot all the time
  --apis 1 --workers 1      how many processes of each
  --after-ms 100            how long the platform waits before each report
  --platform-connections 64 how many notifications it sends at once
  --notifications           instead: one status each of messages that were sent before
  --whatsapp-endpoint       with it, each account has an endpoint that gets them in WhatsApp's own form
  --raw                     the platform does not give our id back
  --statements              also the statements that took PostgreSQL longest; they slow it down
  --env NAME=VALUE          for API and worker, as often as you like`;

const integer = (value) => /^\d+$/.test(value) && Number(value) >= 1;
const number = (value) => Number(value) >= 0;

const rules = {
  json: 'boolean',
  life: 'boolean',
  store: (value) => ['redis', 'postgres'].includes(value),
  connections: integer,
  rate: (value) => Number(value) > 0,
  seconds: (value) => Number(value) > 0,
  turns: integer,
  'tail-seconds': number,
  'warm-up-seconds': number,
  only: (value) => value === 'life',
  against: (value) => existsSync(join(value, 'dist/src/main.js')),
  pace: (value) => value === 'none' || integer(value),
  'receiver-ms': number,
  dead: (value) => ['refused', 'hang'].includes(value),
  'dead-endpoints': integer,
  'dead-share': (value) => Number(value) > 0 && Number(value) < 1,
  history: integer,
  snapshot: 'boolean',
  apis: integer,
  workers: integer,
  'after-ms': number,
  'platform-connections': integer,
  notifications: 'boolean',
  'whatsapp-endpoint': 'boolean',
  raw: 'boolean',
  statements: 'boolean',
  env: (values) => values.every((value) => /^[A-Z_]+=/.test(value)),
};

const defaults = {
  store: 'redis',
  connections: '64',
  seconds: '8',
  turns: '5',
  'tail-seconds': '30',
  'warm-up-seconds': '8',
  'receiver-ms': '0',
  'dead-endpoints': '1',
  'dead-share': '0.5',
  apis: '1',
  workers: '1',
  'after-ms': '100',
  'platform-connections': '64',
  env: [],
};

/** The options of `--life`, numbers as numbers, in camel case; null if one is unknown. */
export function readLifeOptions(args) {
  let values;
  try {
    const types = Object.entries(rules).map(([name, rule]) => [
      name,
      {
        type: rule === 'boolean' ? rule : 'string',
        multiple: name === 'env',
        default: rule === 'boolean' ? false : defaults[name],
      },
    ]);
    ({ values } = parseArgs({ args, options: Object.fromEntries(types) }));
  } catch {
    return null;
  }
  const given = Object.entries(values);
  if (given.some(([name, value]) => rules[name] !== 'boolean' && !rules[name](value))) return null;
  return Object.fromEntries(
    given.map(([name, value]) => [
      name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase()),
      typeof value === 'string' && /^[\d.]+$/.test(value) ? Number(value) : value,
    ]),
  );
}
