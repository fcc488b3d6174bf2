import { describe, expect, it } from '@jest/globals';
import type { Account, NumberCheck, TemplateSyncState } from '../api/types.ts';
import { accountWord } from './account-word.ts';

const account = (change: Partial<Account> = {}) =>
  ({
    id: 'a',
    active: true,
    health: null,
    hold_kind: null,
    updated_at: '2026-11-21T10:00:00.000Z',
    ...change,
  }) as Account;

const sync = (change: Partial<TemplateSyncState> = {}): TemplateSyncState => ({
  account_id: 'a',
  mode: 'live',
  running: false,
  synced_at: '2026-11-21T09:00:00.000Z',
  failed_at: '2026-11-21T11:00:00.000Z',
  error: { reason: 'refused', message: 'Access token has expired', whatsapp_error_code: 190 },
  ...change,
});

const otherError = { reason: 'timeout', message: 'No answer', whatsapp_error_code: null };

describe('the state of an account', () => {
  it('heeds what WhatsApp said of the token without being asked, until there is another one', () => {
    const readAt = (read_at: string, token_valid: boolean | null) =>
      accountWord(account({ health: { read_at, token_valid } as Account['health'] }), []);
    expect(readAt('2026-11-21T11:00:00.000Z', false)).toBe('Token refused');
    expect(readAt('2026-11-21T09:00:00.000Z', false)).toBe('Active');
    expect(readAt('2026-11-21T11:00:00.000Z', true)).toBe('Active');
    expect(readAt('2026-11-21T11:00:00.000Z', null)).toBe('Active');
  });

  it('is not active while WhatsApp refuses its token', () => {
    expect(accountWord(account(), [sync()])).toBe('Token refused');
  });

  it.each([
    ['nothing failed', sync({ failed_at: null, error: null })],
    ['something else failed', sync({ error: otherError })],
    ['only the simulator refused', sync({ mode: 'test' })],
    ['the token is of another account', sync({ account_id: 'b' })],
    ['the account was changed since', sync({ failed_at: '2026-11-21T09:30:00.000Z' })],
  ])('is active where %s', (_case, state) => {
    expect(accountWord(account(), [state])).toBe('Active');
  });

  it.each([
    [account({ active: false }), 'Inactive'],
    [account({ hold_kind: 'paused' }), 'Paused'],
    [account({ hold_kind: 'throttled' }), 'Throttled'],
  ])('that stops its keys comes first: %#', (held, word) => {
    expect(accountWord(held, [sync()])).toBe(word);
  });

  const refused = {
    ok: false,
    health: null,
    error: { reason: 'refused', message: 'x', whatsapp_error_code: 190 },
  } as NumberCheck;
  const fine = { ok: true, health: {}, error: null } as NumberCheck;
  const silent = { ok: false, health: null, error: otherError } as NumberCheck;

  it.each([
    [refused, sync({ failed_at: null, error: null }), 'Token refused'],
    [fine, sync(), 'Active'],
    // It says nothing about the token.
    [silent, sync(), 'Token refused'],
  ])('heeds a check of the number, which is newer: %#', (check, state, word) => {
    const checked = { at: '2026-11-21T12:00:00.000Z', check };
    expect(accountWord(account(), [state], checked)).toBe(word);
  });

  it('heeds a sync that succeeded after a check', () => {
    const checked = { at: '2026-11-21T12:00:00.000Z', check: refused };
    const synced = sync({ synced_at: '2026-11-21T12:30:00.000Z', failed_at: null, error: null });
    expect(accountWord(account(), [synced], checked)).toBe('Active');
  });

  it('heeds what was synced after the check', () => {
    const checked = { at: '2026-11-21T10:30:00.000Z', check: fine };
    expect(accountWord(account(), [sync()], checked)).toBe('Token refused');
  });
});
