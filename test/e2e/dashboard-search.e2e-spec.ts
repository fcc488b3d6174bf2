import { addAccount, addApiKey } from '../support/api-keys.js';
import { Dashboard } from '../support/dashboard.js';
import { installation } from '../support/installation.js';
import { buttonMessage, newRecipient, Stack } from '../support/stack.js';

/** Numbers of this file alone. */
const numbers = { us: '+14155551012', uk: '+442079460882', silent: '+4930231250147' };

interface Result {
  kind: string;
  id: string;
  title: string;
  subtitle: string;
  mode: string | null;
  at: string | null;
  href: string;
}

describe('the search of the dashboard', () => {
  let stack: Stack;
  let operator: Dashboard;
  let administrator: Dashboard;
  let foreignAccount: string;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    stack = await Stack.start();
    operator = await Dashboard.signIn(stack);
    administrator = await Dashboard.administratorOf(stack, operator, installation.accountId);
    foreignAccount = await addAccount(stack);
    const { id: keyId, key: apiKey } = await addApiKey(stack);
    const { key: foreignKey } = await addApiKey(stack, { accountId: foreignAccount });
    await stack.sql(`update api_keys set name = 'Kiosk-882' where id = $1`, [keyId]);
    Object.assign(ids, { key: keyId, apiKey });
    const send = async (name: string, to: string, reference: string, key = apiKey) => {
      const { body } = await stack.send(
        'button',
        buttonMessage({ to, reference }),
        {},
        { apiKey: key },
      );
      ids[name] = body.data.message_id;
    };
    await send('first', numbers.us, 'order-88214');
    await send('second', numbers.us, 'order-88215');
    await send('silent', numbers.silent, 'Quote 100%_');
    await send('foreign', numbers.us, 'order-88216', foreignKey);
    const add = async (name: string, accountId: string, fields: Record<string, string>) => {
      const [row] = await stack.sql(
        `insert into contacts (id, account_id, mode, phone, name, username, user_id)
         values (new_id(), $1, 'live', $2, $3, $4, $5)
         on conflict (account_id, mode, phone) where phone is not null
           do update set name = excluded.name, username = excluded.username, user_id = excluded.user_id
         returning id`,
        [accountId, fields.phone, fields.name, fields.username, fields.user_id],
      );
      ids[name] = row.id;
    };
    await add('us', installation.accountId, { phone: numbers.us, name: 'Priya Raman' });
    await add('uk', installation.accountId, {
      phone: numbers.uk,
      name: 'Jonas Adler',
      username: 'jonas.adler',
      user_id: 'GB.4420794608821',
    });
    await add('foreignContact', foreignAccount, { phone: numbers.us, name: 'Priya Foreign' });
    // A sync that runs meanwhile removes what WhatsApp does not have, unless it is newer than its answer.
    const template = async (name: string, accountId: string) => {
      const [row] = await stack.sql(
        `insert into templates (id, account_id, mode, name, language, category, status, parameter_format, components,
           updated_at)
         values (new_id(), $1, 'live', $2, 'en_GB', 'MARKETING', 'APPROVED', 'NAMED', '[]', now() + interval '1 hour')
         returning id`,
        [accountId, name],
      );
      ids[name] = row.id;
    };
    await template('store_882_opening', installation.accountId);
    await template('foreign_882_opening', foreignAccount);
    const delivery = async (table: string, accountId: string) => {
      const [row] = await stack.sql(
        `insert into ${table} (id, event_id, endpoint_id, account_id, mode, type, body, attempts
           ${table === 'done_events' ? ', status, created_at' : ', due_at'})
         values (new_id(), new_id(), $1, $2, 'live', 'message.status', '{}', 1
           ${table === 'done_events' ? `, 'failed', now()` : `, now() + interval '1 hour'`})
         returning id, event_id`,
        [keyId, accountId],
      );
      return { id: String(row.id), eventId: String(row.event_id) };
    };
    const [done, open, other] = [
      await delivery('done_events', installation.accountId),
      await delivery('open_events', installation.accountId),
      await delivery('done_events', foreignAccount),
    ];
    Object.assign(ids, { done: done.id, doneEvent: done.eventId });
    Object.assign(ids, { open: open.id, openEvent: open.eventId, foreignEvent: other.id });
  });

  afterAll(() => stack?.stop());

  const search = async (q: string, user = administrator): Promise<Result[]> =>
    (await user.get('GET', `/search?q=${encodeURIComponent(q)}`)).results;
  const hrefs = async (q: string, user = administrator) =>
    (await search(q, user)).map(({ href }) => href);
  const listOf = (phone: string) => `/dashboard/messages?q=${encodeURIComponent(phone)}`;
  const messagesOf = (...names: string[]) =>
    names.map((name) => `/dashboard/messages/${ids[name]}`);

  it.each([
    '(415) 555-1012',
    '+1 415 555 1012',
    '4155551012',
    '14155551012',
    '001 415-555-1012',
    '415.555.1012',
    '0415 555 1012',
    '1012',
    '5551012',
    '+1 415 555',
  ])('finds a number as %s: its contact, its latest messages, and the list of them', async (q) => {
    expect(await hrefs(q)).toEqual([
      `/dashboard/contacts/${ids.us}`,
      ...messagesOf('second', 'first'),
      listOf(numbers.us),
    ]);
  });

  it('finds messages to a number that is no contact, by the number and its end', async () => {
    await stack.sql('delete from contacts where phone = $1', [numbers.silent]);
    expect(await hrefs('+49 30 231250147')).toEqual([
      ...messagesOf('silent'),
      listOf(numbers.silent),
    ]);
    for (const q of ['030 231250147', '30231250147', '(30) 231-250147', '0147'])
      expect(await hrefs(q)).toEqual(messagesOf('silent'));
    expect(await hrefs('9147')).toEqual([]);
  });

  it('finds a contact by any words of its name, by its username, and by its user id', async () => {
    const contact = `/dashboard/contacts/${ids.uk}`;
    for (const q of [
      'jonas',
      'JONAS AD',
      'adler',
      'Adl',
      'adler, jonas',
      '@jonas.ad',
      'GB.4420794608821',
      ids.uk ?? '',
    ]) {
      expect(await hrefs(q)).toEqual([contact]);
    }
    for (const q of ['dler', 'jonas berg', "''", "jonas' & !c"]) expect(await hrefs(q)).toEqual([]);
    const [found] = await search('jonas');
    expect(found).toMatchObject({ kind: 'contact', id: ids.uk, title: 'Jonas Adler', at: null });
    expect(found?.subtitle).toContain(numbers.uk);
  });

  it('finds a name in any script, whatever its case and accents', async () => {
    const names = {
      greek: 'Ζωή Παπά',
      cyrillic: 'Артём Щукин',
      german: 'Jörg Weiß',
      turkish: 'Iğdır Işık',
      polish: 'Łukasz Żak',
    };
    const searches = {
      greek: ['ζωη', 'ΠΑΠΑ', 'παπά Ζ'],
      cyrillic: ['артём', 'АРТЕМ', 'щукин а'],
      turkish: ['igdir', 'IŞIK', 'isik'],
      polish: ['lukasz', 'łUKASZ', 'zak lukasz'],
      german: ['jorg', 'JÖRG', 'weiss', 'WEIẞ', 'jo\u0308rg'],
    };
    for (const script of ['greek', 'cyrillic', 'german', 'turkish', 'polish'] as const) {
      const [{ id }] = await stack.sql(
        `insert into contacts (id, account_id, mode, phone, name) values (new_id(), $1, 'live', $2, $3) returning id`,
        [installation.accountId, newRecipient(), names[script]],
      );
      for (const q of searches[script])
        expect([q, await hrefs(q)]).toEqual([q, [`/dashboard/contacts/${id}`]]);
    }
    const [key] = await stack.sql(
      `update api_keys set name = 'Ärztehaus Süd' where id = $1 returning id`,
      [(await addApiKey(stack)).id],
    );
    for (const q of ['ärzte', 'arztehaus', 'SÜD'])
      expect([q, await hrefs(q)]).toEqual([q, [`/dashboard/keys/${key.id}`]]);
  });

  it('finds a message by its ids and by the beginning of its reference', async () => {
    const [row] = await stack.sql(
      'select platform_message_id as wamid from messages where id = $1',
      [ids.first],
    );
    expect(await hrefs(ids.first ?? '')).toEqual(messagesOf('first'));
    expect(await hrefs((ids.first ?? '').toUpperCase())).toEqual(messagesOf('first'));
    expect(await hrefs(row.wamid)).toEqual(messagesOf('first'));
    expect(await hrefs('order-88214')).toEqual(messagesOf('first'));
    expect(new Set(await hrefs('order-8821'))).toEqual(new Set(messagesOf('first', 'second')));
    const [found] = await search('order-88214');
    expect(found).toMatchObject({ kind: 'message', id: ids.first });
    expect(found?.title).toContain(numbers.us);
    expect(found?.subtitle).toContain('reference order-88214');
    expect(Date.parse(found?.at ?? '')).toBeGreaterThan(0);
  });

  it('takes % and _ for themselves', async () => {
    expect(await hrefs('Quote 100%_')).toEqual(messagesOf('silent'));
    expect(await hrefs('%%')).toEqual([]);
    expect(await hrefs('____')).toEqual([]);
  });

  it.each(['done', 'open'])(
    'finds a delivery by its id and its event’s, while it is %s',
    async (part) => {
      const eventId = ids[`${part}Event`] ?? '';
      const href = `/dashboard/webhooks/${ids[part]}`;
      for (const q of [ids[part] ?? '', eventId, `evt_${eventId.replaceAll('-', '')}`]) {
        expect(await hrefs(q)).toEqual([href]);
      }
      expect(await search(eventId)).toMatchObject([{ kind: 'event', title: 'message.status' }]);
    },
  );

  it('finds an API key by a part of its name, its id, its visible characters, and itself', async () => {
    const { apiKey = '', key = '' } = ids;
    for (const q of ['kiosk', 'sk-88', key, apiKey.slice(0, 12), apiKey, apiKey.slice(8, 12)]) {
      expect(await hrefs(q)).toEqual([`/dashboard/keys/${key}`]);
    }
    const [found] = await search('kiosk');
    expect(found).toMatchObject({ kind: 'key', title: 'Kiosk-882', mode: 'live' });
    expect(JSON.stringify(found)).not.toContain(apiKey);
  });

  it('finds a template by a part of its name, with blanks too, and by its id', async () => {
    const template = ids.store_882_opening ?? '';
    for (const q of ['store', '2_open', 'Store 882', template]) {
      expect(await hrefs(q)).toContain(`/dashboard/templates/${template}`);
    }
    const found = { kind: 'template', id: template, mode: 'live' };
    expect((await search(template))[0]).toMatchObject(found);
    await stack.sql(`update templates set mode = 'test' where id = $1`, [template]);
    expect((await search(template))[0]).toMatchObject({ ...found, mode: 'test' });
    await stack.sql(`update templates set mode = 'live' where id = $1`, [template]);
  });

  it('finds a campaign and an endpoint by a part of the name, the id, and the endpoint’s address', async () => {
    const [campaign] = await stack.sql(
      `insert into campaigns (id, account_id, api_key_id, mode, name, template_name, language, message_events)
       values (new_id(), $1, $2, 'live', 'Autumn sale', 'sale', 'en', 'all') returning id`,
      [installation.accountId, ids.key],
    );
    for (const q of ['autumn', 'umn sa', campaign.id])
      expect(await hrefs(q)).toEqual([`/dashboard/campaigns/${campaign.id}`]);
    const [endpoint] = await stack.sql(
      `update webhook_endpoints set url = 'https://hooks.crm.example/in' where id = $1 returning id`,
      [ids.key],
    );
    expect(await hrefs('crm.example')).toEqual([`/dashboard/webhooks?endpoint=${endpoint.id}`]);
    expect(
      await search('autumn', await Dashboard.administratorOf(stack, operator, foreignAccount)),
    ).toEqual([]);
  });

  it('finds accounts and users, for operators alone', async () => {
    const [account] = await stack.sql(
      `update accounts set name = 'Bakery North' where id = $1 returning display_phone_number`,
      [foreignAccount],
    );
    for (const q of ['bakery', foreignAccount, `+${account.display_phone_number}`]) {
      expect(await hrefs(q, operator)).toContain(`/dashboard/accounts/${foreignAccount}`);
      expect(await hrefs(q)).toEqual([]);
    }
    const [bakery] = await search('bakery', operator);
    expect(bakery?.subtitle).toBe(`Account · ${account.display_phone_number}`);
    const { email } = (await administrator.get('GET', '/session')).user;
    expect(await search(email, operator)).toMatchObject([{ kind: 'user', title: email }]);
    expect(await search(email)).toEqual([]);
  });

  it('finds error codes, says what they mean, and leads to where they came', async () => {
    expect(await search('131026')).toMatchObject([
      { kind: 'error', href: '/dashboard/messages?code=131026' },
    ]);
    expect((await search('131026'))[0]?.title).toMatch(/^131026: Recipient not on WhatsApp/);
    expect(await search('rate limit')).toMatchObject([
      {
        kind: 'error',
        id: 'RATE_LIMIT_EXCEEDED',
        href: '/dashboard/requests?code=RATE_LIMIT_EXCEEDED',
      },
    ]);
    expect(await search('999999')).toEqual([]);
  });

  it('finds things of several kinds, those of one kind together', async () => {
    const kinds = (await search('882')).map(({ kind }) => kind);
    expect(kinds).toEqual(['key', 'template']);
  });

  it('finds the pages that the user may open', async () => {
    expect(await search('deliveries')).toMatchObject([
      { kind: 'page', title: 'Webhooks', href: '/dashboard/webhooks' },
    ]);
    expect(await hrefs('audit log')).toEqual(['/dashboard/audit-log']);
    expect(await hrefs('business numbers')).toEqual([]);
    expect(await hrefs('business numbers', operator)).toEqual(['/dashboard/accounts']);
  });

  it('shows administrators nothing of another account, and operators everything', async () => {
    const asked: [q: string, name: string][] = [
      [ids.foreign ?? '', 'foreign'],
      ['order-88216', 'foreign'],
      ['Priya F', 'foreignContact'],
      [ids.foreignEvent ?? '', 'foreignEvent'],
      ['foreign_882', 'foreign_882_opening'],
    ];
    for (const [q, name] of asked) {
      expect(await search(q)).toEqual([]);
      expect((await search(q, operator)).map(({ id }) => id)).toEqual([ids[name]]);
    }
    const all = await search('+14155551012', operator);
    expect(all.map(({ id }) => id)).toEqual(
      expect.arrayContaining([ids.us, ids.foreignContact, ids.first, ids.foreign]),
    );
    const [contact] = all;
    expect(contact?.subtitle).toMatch(/ · .+/);
  });

  it('is narrowed to an account', async () => {
    const of = async (accountId: string) =>
      (await operator.get('GET', `/search?q=order-8821&account_id=${accountId}`)).results;
    expect((await of(foreignAccount)).map(({ id }: Result) => id)).toEqual([ids.foreign]);
    const { status } = await administrator.call('GET', `/search?q=ab&account_id=${foreignAccount}`);
    expect(status).toBe(404);
  });

  it('answers an empty list when nothing is there', async () => {
    for (const q of [
      'zzzz',
      '0000',
      '01a1fe24-d4ba-71e8-a502-760746519a21',
      'wamid.x',
      'evt_1',
      "'--",
    ]) {
      expect(await search(q)).toEqual([]);
    }
  });

  it.each([
    ['nothing', ''],
    ['an empty text', 'q='],
    ['one character', 'q=a'],
    ['blanks', 'q=%20%20%20'],
    ['101 characters', `q=${'a'.repeat(101)}`],
    ['two texts', 'q=ab&q=cd'],
  ])('refuses %s', async (_, query) => {
    const { status, body } = await operator.call('GET', `/search?${query}`);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(Object.keys(body.error.details.fields)).toEqual(['q']);
  });

  it.each(['%00ab', '%ff%fe%fd', '%f4%8f%bf%bfab', '%ed%a0%80', 'ab%00'])(
    'answers the hostile text %s',
    async (text) => {
      const { status } = await operator.call('GET', `/search?q=${text}`);
      expect([200, 400]).toContain(status);
    },
  );

  it('takes 2 and 100 characters', async () => {
    expect((await operator.call('GET', '/search?q=zz')).status).toBe(200);
    expect((await operator.call('GET', `/search?q=${'z'.repeat(100)}`)).status).toBe(200);
  });
});
