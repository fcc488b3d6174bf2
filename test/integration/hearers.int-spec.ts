import { type KeyTrouble, keyTroubleOf } from '../../src/access/key-state.js';
import type { Permission } from '../../src/access/permissions.js';
import { newId } from '../../src/database/ids.js';
import type { WebhookEvent } from '../../src/events/event-types.js';
import {
  accountHearersSql,
  hearersSql,
  listenersIn,
  listenersOf,
  listenersToMessage,
} from '../../src/events/hearers.js';
import { type ApiKeyChange, addAccount, addApiKey } from '../support/api-keys.js';
import { TestDatabase } from '../support/database.js';

const everything: Permission[] = ['view_messages', 'manage_contacts'];

describe('who hears of an event', () => {
  let database: TestDatabase;
  let accountId: string;
  /** Ids of endpoints → what the test calls them. */
  const names = new Map<string, string>();

  beforeAll(async () => {
    database = await TestDatabase.clone('seeded');
  });

  beforeEach(async () => {
    names.clear();
    accountId = await addAccount(database);
  });

  afterAll(() => database?.drop());

  /** A key that has a feed, a default endpoint, and one of each scope. Each has asked for the events. */
  async function addKey(
    name: string,
    change: ApiKeyChange,
    events: WebhookEvent[],
  ): Promise<string> {
    const { id } = await addApiKey(database, { accountId, permissions: everything, ...change });
    await database.sql('update api_keys set event_feed = true where id = $1', [id]);
    await database.sql(
      `update webhook_endpoints set url = 'https://example.com/', events = $2 where id = $1`,
      [id, events],
    );
    names.set(id, `${name} default`);
    for (const scope of ['key', 'account']) {
      const endpointId = newId();
      names.set(endpointId, `${name} ${scope}`);
      await database.sql(
        `insert into webhook_endpoints (id, api_key_id, account_id, mode, name, secret, url, events, scope)
         select $2, id, account_id, mode, $3, '', 'https://example.com/', $4, $3 from api_keys where id = $1`,
        [id, endpointId, scope, events],
      );
    }
    return id;
  }

  const named = (rows: readonly { id: string; isFeed: boolean }[]) =>
    rows
      .map(({ id, isFeed }) =>
        String(names.get(id)).replace(isFeed ? 'default' : '', isFeed ? 'feed' : ''),
      )
      .toSorted();
  /** By the query of the statement that makes a change of the key's. */
  async function hear(event: WebhookEvent, keyId: string): Promise<unknown[]> {
    const rows = await database.sql(
      `select h.endpoint_id as id, h.is_feed as "isFeed"
       from (select id as api_key_id, account_id, mode from api_keys where id = $1) c
       cross join lateral (${hearersSql(event, 'c')}) h`,
      [keyId],
    );
    return named(rows);
  }
  const queries = {
    query: (text: string, values?: unknown[]) => database.sql(text, values),
  } as never;
  const place = () => ({ accountId, mode: 'live' as const });
  /** By what a worker routes. */
  async function route(event: WebhookEvent, senderId: string | null): Promise<unknown[]> {
    const listeners = await listenersOf(queries, [accountId], event);
    return named(listenersToMessage({ ...place(), senderId, messageType: 'text' }, listeners));
  }

  // Of the grid, what the sender's own key and another one may do.
  const grid = [everything, ['view_messages'], ['manage_contacts'], []] as Permission[][];
  const events = ['message.status', 'campaign.status', 'message.received'] as const;
  it.each(grid.flatMap((own) => grid.map((other) => ({ own, other }))))(
    'is the same for a statement and for a worker, with $own and $other',
    async ({ own, other }) => {
      const sender = await addKey('own', { permissions: own }, [...events]);
      await addKey('other', { permissions: other }, [...events]);
      for (const event of events)
        expect(await route(event, sender)).toEqual(await hear(event, sender));
    },
  );

  it('is one endpoint of scope account with view_messages, and all of the own key', async () => {
    const sender = await addKey('own', {}, ['campaign.status']);
    await addKey('other', {}, ['campaign.status']);
    await addKey('elsewhere', { mode: 'test' }, ['campaign.status']);
    expect(await hear('campaign.status', sender)).toEqual([
      'other account',
      'own account',
      'own default',
      'own feed',
      'own key',
    ]);
  });

  it('is still every endpoint of the own key once it has lost view_messages, and none of another', async () => {
    const lost = { permissions: [] };
    const sender = await addKey('own', lost, ['message.status']);
    await addKey('other', lost, ['message.status']);
    expect(await hear('message.status', sender)).toEqual([
      'own account',
      'own default',
      'own feed',
      'own key',
    ]);
  });

  it('of a reply is only the default endpoint and the feed without view_messages', async () => {
    const sender = await addKey('own', { permissions: [] }, ['message.received']);
    expect(await route('message.received', sender)).toEqual(['own default', 'own feed']);
  });

  it('of what belongs to no key is who listens to the whole account', async () => {
    await addKey('one', {}, ['alert.raised']);
    await addKey('lost', { permissions: ['manage_contacts'] }, ['alert.raised']);
    const rows = await database.sql(
      `select h.endpoint_id as id, h.is_feed as "isFeed" from (select $1::uuid as account_id) n
       cross join lateral (${accountHearersSql('alert.raised', 'n')}) h`,
      [accountId],
    );
    expect(named(rows)).toEqual(['one account']);
  });

  it('of a contact is everybody with manage_contacts', async () => {
    await addKey('one', {}, ['contact.changed']);
    await addKey('lost', { permissions: ['view_messages'] }, ['contact.changed']);
    const listeners = await listenersOf(queries, [accountId], 'contact.changed');
    expect(named(listenersIn(place(), listeners))).toEqual([
      'lost default',
      'lost feed',
      'one account',
      'one default',
      'one feed',
      'one key',
    ]);
  });

  const past = new Date(Date.now() - 60_000);
  const states: [KeyTrouble, ApiKeyChange][] = [
    ['revoked', { revokedAt: past, suspendedAt: past, expiresAt: past, active: false }],
    ['suspended', { suspendedAt: past, expiresAt: past, active: false }],
    ['expired', { expiresAt: past, active: false }],
    ['inactive', { active: false }],
  ];
  it.each(states)('a key that is %s gets no reply', async (trouble, change) => {
    const key = await addKey('own', change, ['message.status', 'message.received']);
    expect(
      keyTroubleOf({
        isActive: change.active ?? true,
        isRevoked: change.revokedAt !== undefined,
        isSuspended: change.suspendedAt !== undefined,
        expiresAt: change.expiresAt ?? null,
      }),
    ).toBe(trouble);
    expect(await route('message.received', key)).toEqual([]);
    expect(await hear('message.status', key)).toHaveLength(trouble === 'revoked' ? 0 : 4);
  });
});
