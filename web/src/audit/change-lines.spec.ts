import { describe, expect, it } from '@jest/globals';
import { changeLines, detailsOf, doneWords } from './change-lines.ts';

describe('what an entry of the audit log changed', () => {
  it.each([
    ['a number', { daily_limit: { from: 300, to: 600 } }, 'Requests per day (UTC) 300 → 600'],
    [
      'a large number',
      { daily_limit: { from: 300, to: 86_400 } },
      'Requests per day (UTC) 300 → 86,400',
    ],
    ['a switch', { active: { from: true, to: false } }, 'Active yes → no'],
    ['something new', { description: { from: null, to: 'Shop' } }, 'Description none → Shop'],
    ['a list', { allowed_ips: { from: [], to: ['10.0.0.1'] } }, 'Allowed addresses changed'],
    ['a secret', { access_token: 'changed' }, 'Access token changed'],
  ])('is a line for %s', (_, details, line) => {
    expect(changeLines({ details })).toEqual([line]);
  });

  it('is a line for each changed part of an object', () => {
    const from = { keys: 100, endpoints: 100, daily_limit: null };
    const to = { keys: 200, endpoints: 100, daily_limit: 5_000 };
    expect(changeLines({ details: { limits: { from, to } } })).toEqual([
      'Limits: keys 100 → 200',
      'Limits: requests per day (UTC) none → 5,000',
    ]);
  });

  it('is all its values in words', () => {
    const details = {
      overlap_seconds: 0,
      ended: ['key', 'webhook'],
      api_key_id: 'k-1',
      active: { from: true, to: false },
      allowed_ips: { from: [], to: ['10.0.0.1', '10.0.0.2'] },
      limits: { from: { keys: 100, ips: 3 }, to: { keys: 200, ips: 3 } },
      filter: { status: 'failed', key_id: null },
    };
    expect(detailsOf({ details }).map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'The old value works for: not at all',
      'No longer valid: key, webhook secret',
      'Key: k-1',
      'Active: yes → no',
      'Allowed addresses: none → 10.0.0.1, 10.0.0.2',
      'Limits: keys: 100 → 200',
      'Filter: status: failed',
      'Filter: key: none',
    ]);
  });

  it.each([
    [['key'], 'Old key ended early'],
    [['signing_secret'], 'Old signing secret ended early'],
    [['key', 'signing', 'webhook'], 'Old key, signing secret, and webhook secret ended early'],
    [undefined, 'Old key or secrets ended early'],
  ])('names the old values that were ended: %j', (ended, words) => {
    expect(doneWords({ action: 'api_key.overlap_ended', details: { ended } })).toBe(words);
  });

  it.each([
    [{ recovered: 0 }, 'Recovery found no missed event'],
    [{ recovered: 1_200 }, '1,200 missed events recovered'],
    [{}, 'Missed events recovered'],
  ])('says how many events were recovered: %j', (details, words) => {
    expect(doneWords({ action: 'api_key.webhook_recovered', details })).toBe(words);
  });

  it('has the codes of WhatsApp as they are', () => {
    const details = { without_codes: [131_026, 131_050], error_code: 131_049, count: 12_000 };
    expect(detailsOf({ details }).map(({ text }) => text)).toEqual([
      '131026, 131050',
      '131049',
      '12,000',
    ]);
  });

  it('is all of what an endpoint or an operator is not narrowed to', () => {
    const details = {
      account_id: null,
      events: null,
      fields: null,
      message_types: { from: ['text'], to: null },
      statuses: { from: null, to: ['failed'] },
    };
    expect(detailsOf({ details }).map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'Account: all accounts',
      'Events: all',
      'Fields: all',
      'Types of received messages: text → all',
      'Statuses: all → failed',
    ]);
    expect(changeLines({ details: { account_id: { from: 'a', to: null } } })).toEqual([
      'Account a → all accounts',
    ]);
  });

  it('has times in the zone of the reader', () => {
    const details = { expires_at: { from: null, to: '2026-11-28T19:19:00.000Z' } };
    expect(changeLines({ details })[0]).toMatch(/^Expires none → \d\d? Nov 2026, \d\d:19$/);
  });

  it('has no raw value of objects and lists', () => {
    const webhook = { url: 'https://a.example', events: ['message.status'], disabled_at: null };
    expect(detailsOf({ details: { webhook, shown: ['key', 'signing_secret'] } })).toEqual([
      {
        name: 'Webhook',
        text: 'URL https://a.example, events message.status, switched off none',
      },
      { name: 'Shown once', text: 'key, signing secret' },
    ]);
  });

  it.each([
    ['api_key_id', '/keys/$keyId'],
    ['account_id', '/accounts/$accountId'],
    ['delivery_id', '/webhooks/$deliveryId'],
    ['endpoint_id', '/webhooks'],
    ['retry_of', '/campaigns/$campaignId'],
  ])('has a link for %s', (field, to) => {
    const [detail] = detailsOf({ details: { [field]: 'id' } });
    expect(detail?.link).toMatchObject({ id: 'id', to: { to } });
  });

  it('has the times of a filter apart, and links for what it names', () => {
    const filter = { key_id: 'k', from: '2026-11-28T10:00:00Z', to: '2026-11-28T11:00:00Z' };
    const details = detailsOf({ details: { filter } });
    expect(details.map(({ name }) => name)).toEqual([
      'Filter: key',
      'Filter: from',
      'Filter: before',
    ]);
    expect(details[0]?.link).toMatchObject({ kind: 'key', id: 'k' });
  });

  it('has a line for each variable of a mapping', () => {
    const variables = {
      order_id: { component: 'body', position: 1, required: true },
      total: { component: 'body', position: 2, required: true },
    };
    const lines = ['order_id: Body {{1}}, required', 'total: Body {{2}}, required'];
    for (const value of [variables, { from: null, to: variables }]) {
      expect(detailsOf({ details: { variables: value } })[0]?.lines).toEqual(lines);
    }
    expect(changeLines({ details: { variables: { from: variables, to: {} } } })).toEqual([
      'Variables changed',
    ]);
  });

  it('has no line for details that are not changes', () => {
    expect(changeLines({ details: { overlap_seconds: 0, shown: ['key'] } })).toEqual([]);
  });
});
