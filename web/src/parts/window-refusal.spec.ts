import { describe, expect, it } from '@jest/globals';
import { windowRefusedAt } from './window-refusal.ts';

const at = '2026-11-21T13:01:44.000Z';
const unknown = { state: 'unknown', expires_at: null, last_inbound_at: null } as const;
const message = (change: object) =>
  ({ type: 'text', status: 'failed', failed_at: at, error: null, ...change }) as never;
const refused = (code = 131047, change = {}) =>
  message({ error: { whatsapp_error_code: code }, ...change });

describe('when WhatsApp said that the window is closed', () => {
  it.each([131047, 130472])('is when it refused the newest message for that: %i', (code) => {
    expect(windowRefusedAt(unknown, [refused(code)])).toBe(at);
  });

  it('is not known from other failures, and not from templates', () => {
    expect(windowRefusedAt(unknown, [])).toBeNull();
    expect(windowRefusedAt(unknown, [refused(131026)])).toBeNull();
    expect(windowRefusedAt(unknown, [refused(130472, { type: 'template' })])).toBeNull();
  });

  it('does not matter where the window is known, or where they wrote later', () => {
    for (const state of ['open', 'closed'] as const) {
      expect(windowRefusedAt({ ...unknown, state }, [refused()])).toBeNull();
    }
    const wrote = (time: string) => ({ ...unknown, last_inbound_at: time });
    expect(windowRefusedAt(wrote('2026-11-21T13:01:45.000Z'), [refused()])).toBeNull();
    expect(windowRefusedAt(wrote('2026-11-20T13:01:43.000Z'), [refused()])).toBe(at);
  });

  it('does not matter where a later message arrived that is no template', () => {
    const arrived = message({ status: 'delivered', failed_at: null });
    expect(windowRefusedAt(unknown, [arrived, refused()])).toBeNull();
    const template = message({ status: 'read', failed_at: null, type: 'template' });
    expect(windowRefusedAt(unknown, [template, refused(131026), refused()])).toBe(at);
  });
});
