import { randomUUID } from 'node:crypto';
import { addAccount } from '../support/api-keys.js';
import { installation, secretBox } from '../support/installation.js';
import { until } from '../support/until.js';
import { change, demoNumber, newWamid, notify, textMessage } from '../support/webhooks.js';
import type { ChaosInstallation, FaultContext } from './installation.js';

const title = 'F31-relayed';
const senders = 6;
const killEvery = 10;

/** An account with endpoints that get notifications in WhatsApp's own form. */
interface Side {
  readonly id: string;
  readonly number: typeof demoNumber;
  readonly apiKey: string;
  readonly endpoints: readonly string[];
}

/** One thing that WhatsApp says of a number. */
interface Said {
  readonly side: Side;
  /** As it is counted at endpoints. */
  readonly name: string;
  readonly change: object;
}

/**
 * WhatsApp notifies of messages, statuses and calls of two accounts, in packages of several. A fifth it repeats, in
 * other packages. Processes are killed meanwhile, and one of the accounts sends. Three endpoints of two keys listen in
 * that account, one in the other.
 */
export async function repackageNotifications({ chaos, times, phase }: FaultContext): Promise<void> {
  const sides = [await makeSide(chaos, 1, [2, 1]), await makeSide(chaos, 2, [1])] as const;
  const load = chaos.load(title, { connections: 4, apiKey: sides[0].apiKey });
  const said: Said[] = [];
  let packages = 0;
  const isOver = () => packages >= times;
  const sending = Array.from({ length: senders }, async () => {
    while (!isOver()) {
      packages += 1;
      const isRepeated = said.length > 10 && chaos.random.between(1, 5) === 1;
      const things = Array.from({ length: chaos.random.between(1, 4) }, () =>
        isRepeated ? chaos.random.pick(said) : somethingAbout(chaos.random.pick(sides), packages),
      );
      await tell(chaos, things);
      if (!isRepeated) said.push(...things);
    }
  });
  for (let done = killEvery; !isOver(); done += killEvery) {
    await until(() => isOver() || packages >= done, 60_000);
    await chaos.killOne(phase);
  }
  await Promise.all(sending);
  await chaos.accepts(load, 20);
  phase.sent.push(...(await load.stop()));
  phase.notes.push(`${said.length} changes in ${packages} packages`);
  phase.afterwards.push(() => findMisdelivered(chaos, sides, said));
}

/** @param endpointsOfKeys how many endpoints each of its keys has. */
async function makeSide(
  chaos: ChaosInstallation,
  ordinal: number,
  endpointsOfKeys: readonly number[],
): Promise<Side> {
  const id = await addAccount(chaos.postgres);
  const number = {
    businessAccountId: `31${ordinal}${String(Date.now()).slice(-12)}`,
    phoneNumberId: `32${ordinal}${String(Date.now()).slice(-12)}`,
    displayPhoneNumber: `1555078${ordinal}999`,
  };
  await chaos.postgres.sql(
    `update accounts set business_account_id = $2, phone_number_id = $3, display_phone_number = $4,
       app_secret = $5 where id = $1`,
    [
      id,
      number.businessAccountId,
      number.phoneNumberId,
      `+${number.displayPhoneNumber}`,
      // The platform that is played reports on every message with this one.
      secretBox().seal(installation.appSecret, `accounts.app_secret.${id}`),
    ],
  );
  const keys = [];
  const endpoints = [];
  for (const count of endpointsOfKeys) {
    const { key } = await chaos.operator.newKey({
      account_id: id,
      permissions: ['send_text', 'view_messages', 'manage_webhooks'],
      rate_limit_per_minute: 1_000_000,
    });
    keys.push(key);
    for (let made = 0; made < count; made += 1) {
      const answer = await until(async () => {
        const { status, body } = await chaos.stack.request('/webhooks', {
          apiKey: key,
          method: 'POST',
          body: {
            format: 'whatsapp',
            url: chaos.receiver.url(`/relayed-${randomUUID()}`),
          },
        });
        return status === 200 && body;
      });
      endpoints.push(answer.data.webhook.id);
    }
  }
  return { id, number, apiKey: keys[0] ?? '', endpoints };
}

/** A message, a status of a message that Parley does not know, or a call. */
function somethingAbout(side: Side, ordinal: number): Said {
  const id = newWamid();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  switch (ordinal % 3) {
    case 0:
      return {
        side,
        name: `messages ${id}`,
        change: change({ messages: [textMessage({ id })] }, side.number),
      };
    case 1: {
      const status = { id, status: 'delivered', timestamp, recipient_id: '4930' };
      return {
        side,
        name: `statuses ${id} delivered`,
        change: change({ statuses: [status] }, side.number),
      };
    }
    default:
      return {
        side,
        name: `calls ${id}`,
        change: {
          ...change({ calls: [{ id, event: 'connect', timestamp }] }, side.number),
          field: 'calls',
        },
      };
  }
}

/** WhatsApp repeats what is not answered by 200. */
async function tell(chaos: ChaosInstallation, things: readonly Said[]): Promise<void> {
  const body = {
    object: 'whatsapp_business_account',
    entry: things.map((thing) => ({
      id: thing.side.number.businessAccountId,
      changes: [thing.change],
    })),
  };
  let tries = 0;
  await until(async () => {
    const api = (tries += 1) % chaos.stack.apis.length;
    const answer = await notify(chaos.stack, body, { api }).catch(() => null);
    return answer?.status === 200;
  }, 60_000);
}

/** Changes that an endpoint of their account does not have exactly once, and those of others that it has. */
async function findMisdelivered(
  chaos: ChaosInstallation,
  sides: readonly Side[],
  said: readonly Said[],
): Promise<string[]> {
  const violations: string[] = [];
  for (const side of sides) {
    const messages = await chaos.postgres.sql<{ id: string; wamid: string; isRead: boolean }>(
      `select id, platform_message_id as wamid, coalesce(receipt, status) = 'read' as "isRead"
       from messages where account_id = $1 and platform_message_id is not null`,
      [side.id],
    );
    const isOwn = (name: string) => messages.some(({ wamid }) => name.includes(wamid));
    const wanted = new Set([
      ...said.filter((one) => one.side === side).map(({ name }) => name),
      ...messages
        .filter(({ isRead }) => isRead)
        .flatMap(({ wamid }) =>
          ['sent', 'delivered', 'read'].map((status) => `statuses ${wamid} ${status}`),
        ),
    ]);
    const ownIds = new Set(messages.map(({ id }) => id));
    for (const endpoint of side.endpoints) {
      const rows = await chaos.postgres.sql<{ body: string }>(
        `select body::text from open_events where endpoint_id = $1
         union all select body::text from done_events where endpoint_id = $1`,
        [endpoint],
      );
      const counts = new Map<string, number>();
      for (const { body } of rows) {
        const name = nameOf(body);
        counts.set(name, (counts.get(name) ?? 0) + 1);
        const shown = [...ownIds].find((id) => body.includes(id));
        if (shown) violations.push(`I24 ${endpoint}: the id ${shown} of Parley went out`);
      }
      for (const name of wanted) {
        const count = counts.get(name) ?? 0;
        if (count !== 1) violations.push(`I24 ${endpoint}: ${name} is there ${count} times`);
      }
      for (const name of counts.keys()) {
        if (!wanted.has(name) && !isOwn(name))
          violations.push(`I24 ${endpoint}: ${name} is of no concern to it`);
      }
    }
  }
  return violations;
}

function nameOf(body: string): string {
  const { entry } = JSON.parse(body);
  const { value } = entry[0].changes[0];
  const [list, element] = Object.entries<any>(value).find(
    ([, member]) => Array.isArray(member) && member[0]?.id,
  ) ?? ['?', [{}]];
  return [list, element[0].id, element[0].status].filter(Boolean).join(' ');
}
