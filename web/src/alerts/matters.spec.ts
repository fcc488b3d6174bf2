import { describe, expect, it } from '@jest/globals';
import { dayMs } from '../../../libs/durations/index.ts';
import type { Alert, ApiKey, ListedEndpoint, Overview } from '../api/types.ts';
import { dateAndTime, momentText } from '../parts/times.ts';
import { eventLinks } from './event-links.ts';
import { mattersOf } from './matters.ts';

const at = '2026-11-20T10:00:00.000Z';

const queue = {
  queued: 0,
  oldest_age_seconds: 0,
  unconfirmed: 0,
  unconfirmed_since: null,
  unconfirmed_not_resent: { count: 0, since: null },
};
const unconfirmed = { unconfirmed_not_resent: { count: 12, since: at } };

const alertOf = (kind: string, change: object = {}): Alert => ({
  id: `alert ${kind}`,
  account_id: 'account',
  kind,
  subject: 'number',
  message: `The message of ${kind}.`,
  details: {},
  created_at: at,
  resolved_at: null,
  owner: null,
  muted_until: null,
  ...change,
});

const failing: Overview['failing_endpoints'][number] = {
  endpoint_id: 'endpoint',
  endpoint_name: 'default',
  api_key_id: 'key',
  api_key_name: 'orders',
  account_id: 'account',
  url: 'https://shop.example/hooks',
  failures: 7,
  since: at,
  off_at: '2026-11-25T10:00:00.000Z',
  disabled_at: null,
  reason: null,
};

const figures: ListedEndpoint = {
  endpoint_id: 'endpoint',
  endpoint_name: 'default',
  api_key_id: 'key',
  api_key_name: 'orders',
  account_id: 'account',
  mode: 'live',
  url: 'https://shop.example/hooks',
  format: 'parley',
  health: 'failing',
  since: at,
  off_at: null,
  disabled_reason: null,
  finished: 0,
  succeeded: 0,
  retrying: 280,
  waiting: 1,
  median_ms: null,
  last_success_at: null,
  missed: 1,
  missed_is_exact: true,
  missed_since: at,
};

const off = { ...failing, failures: 0, off_at: null, disabled_at: at, reason: 'gone' };

const matters = (
  overview: Partial<Parameters<typeof mattersOf>[0]['overview']>,
  keys: readonly Partial<ApiKey>[] = [],
  isOperator = true,
) =>
  mattersOf({
    overview: {
      alerts: [],
      failing_endpoints: [],
      backlogs: [],
      broken_mappings: [],
      queue,
      ...overview,
    },
    keys: keys as ApiKey[],
    isOperator,
  });

describe('what needs attention', () => {
  it('is an endpoint that works again while events still wait for it', () => {
    const { endpoint_id, endpoint_name, api_key_id, api_key_name, account_id } = failing;
    const endpoint = { endpoint_id, endpoint_name, api_key_id, api_key_name, account_id };
    const backlog = { ...endpoint, events: 1_225, since: at, last_try_at: at };
    const named = { ...backlog, endpoint_name: 'CRM', events: 10_000 };
    const [own, other] = matters({ backlogs: [backlog, named] });
    expect(own).toMatchObject({
      title: 'Webhook of “orders” works again; 1,225 events still wait',
      text: `They failed before. Parley tries them again by itself, the last of them on ${momentText(at)}.`,
      endpointId: 'endpoint',
      since: at,
    });
    expect(other?.title).toBe(
      'Endpoint “CRM” of “orders” works again; 10,000 events or more still wait',
    );
  });

  it('is nothing while all is well', () => {
    expect(matters({})).toEqual([]);
  });

  it.each([
    'account_notice',
    'campaign_paused',
    'database_history',
    'database_restored',
    'events_withheld',
    'number_paused',
    'number_quality',
    'platform_error',
    'token_expiring',
    'token_refused',
    'unconfirmed_messages',
    'webhook_disabled',
  ])('says of the alert %s what to do and since when, and lets people resolve it', (kind) => {
    const [matter] = matters({ alerts: [alertOf(kind)] });
    expect(matter).toMatchObject({
      text: `The message of ${kind}.`,
      since: at,
      accountId: 'account',
      alert: { id: `alert ${kind}` },
    });
    expect(matter?.todo).not.toBe('Resolve this alert when the cause is fixed.');
  });

  it('lists alerts that this version does not know', () => {
    expect(matters({ alerts: [alertOf('new_kind')] })).toMatchObject([
      { title: 'New kind', todo: 'Resolve this alert when the cause is fixed.' },
    ]);
  });

  it('leads operators to the account; others are asked to tell one', () => {
    const alerts = [alertOf('number_paused')];
    expect(matters({ alerts })).toMatchObject([
      { links: [{ to: '/accounts/$accountId', params: { accountId: 'account' } }] },
    ]);
    expect(matters({ alerts }, [], false)).toMatchObject([
      { todo: expect.stringMatching(/^Ask an operator/), links: [] },
    ]);
  });

  it('leads everybody to a campaign that is paused', () => {
    const alerts = [alertOf('campaign_paused', { subject: 'campaign' })];
    expect(matters({ alerts }, [], false)).toMatchObject([
      { links: [{ to: '/campaigns/$campaignId', params: { campaignId: 'campaign' } }] },
    ]);
  });

  it('lists an endpoint that fails, with the way to what waits, what failed, and its key', () => {
    const key = { to: '/keys/$keyId', params: { keyId: 'key' } };
    const waits = {
      name: '281 events wait',
      to: '/webhooks',
      search: { endpoint: 'endpoint', status: 'waiting' },
    };
    const failed = {
      name: '1 event failed for good',
      to: '/webhooks',
      search: { endpoint: 'endpoint', status: 'failed', from: at },
    };
    expect(matters({ failing_endpoints: [failing] })).toMatchObject([
      {
        title: 'Webhook of “orders” fails',
        text: expect.stringMatching(/^7 failed attempts, .+ it is switched off on 2\d Nov/),
        since: at,
        links: [key],
        endpointId: 'endpoint',
        alert: null,
      },
    ]);
    // A link says how much it opens, or it is not there.
    expect(eventLinks(figures)).toMatchObject([waits, failed]);
    expect(eventLinks({ ...figures, missed: 0 })).toMatchObject([waits]);
    expect(eventLinks({ ...figures, retrying: 0, waiting: 0 })).toMatchObject([failed]);
  });

  it('says when, as the reader’s clock shows it', () => {
    const message = 'The access token ends at 2026-11-28 19:19 UTC.';
    const [matter] = matters({ alerts: [alertOf('token_expiring', { message })] });
    expect(matter?.text).toBe(`The access token ends at ${dateAndTime('2026-11-28T19:19:00Z')}.`);
  });

  it('names an endpoint that people have named', () => {
    const named = { ...failing, endpoint_name: 'Failures' };
    expect(matters({ failing_endpoints: [named] })).toMatchObject([
      { title: 'Endpoint “Failures” of “orders” fails' },
    ]);
  });

  it('lists an endpoint that is off once, not once more as an alert', () => {
    const alerts = [alertOf('webhook_disabled', { subject: 'endpoint' })];
    expect(matters({ alerts, failing_endpoints: [off] })).toMatchObject([
      {
        title: 'Webhook of “orders” is switched off',
        text: 'It answered 410 Gone. Its events fail until you enable it.',
        alert: null,
      },
    ]);
  });

  it('asks nothing about unconfirmed messages that were sent again', () => {
    const resent = { ...queue, unconfirmed: 12, unconfirmed_since: at };
    expect(matters({ queue: resent })).toEqual([]);
  });

  it('counts unconfirmed messages once: by the alert, or else by the queue', () => {
    const waiting = { ...queue, ...unconfirmed };
    expect(matters({ queue: waiting })).toMatchObject([
      { title: '12 messages unconfirmed', since: at, alert: null },
    ]);
    const one = { ...queue, unconfirmed_not_resent: { count: 1, since: at } };
    expect(matters({ queue: one })).toMatchObject([
      {
        title: '1 message unconfirmed',
        text: 'WhatsApp may have it. Parley does not send it again.',
      },
    ]);
    const alerts = [alertOf('unconfirmed_messages', { details: { count: 11 } })];
    expect(matters({ queue: waiting, alerts })).toMatchObject([
      { title: '11 messages unconfirmed', alert: alerts[0] },
    ]);
  });

  it('is no alert that is muted, nor what it counts', () => {
    const muted = { muted_until: '2026-11-20T12:00:00.000Z' };
    const alerts = [alertOf('number_paused', muted), alertOf('unconfirmed_messages', muted)];
    expect(matters({ alerts, queue: { ...queue, ...unconfirmed } })).toEqual([]);
  });

  it('lists mappings that no longer fit, and keys that are about to expire', () => {
    const mapping = {
      api_key_id: 'key',
      api_key_name: 'orders',
      template_id: 'template',
      template_name: 'order_shipped',
      language: 'en',
      reason: 'it has 3 variables',
      since: at,
    };
    const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
    const key = { id: 'key', name: 'orders', account_id: 'account', state: 'active' } as const;
    const keys = [
      { ...key, expires_at: inDays(2.9) },
      { ...key, expires_at: inDays(40) },
      { ...key, expires_at: null },
      { ...key, state: 'revoked', expires_at: inDays(2) } as const,
    ];
    expect(matters({ broken_mappings: [mapping] }, keys)).toMatchObject([
      { title: 'Template order_shipped changed', since: at },
      { title: 'Key “orders” expires in 3 days', since: null },
    ]);
  });

  it('has what is broken first', () => {
    const alerts = [alertOf('unconfirmed_messages'), alertOf('number_paused')];
    expect(matters({ alerts, failing_endpoints: [off] }).map(({ title }) => title)).toEqual([
      'Number paused',
      'Webhook of “orders” is switched off',
      'Unconfirmed messages',
    ]);
  });
});
