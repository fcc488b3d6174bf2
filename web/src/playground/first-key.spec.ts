import { describe, expect, it } from '@jest/globals';
import type { ApiKey } from '../api/types.ts';
import { firstKey } from './first-key.ts';

const key = (name: string, permissions: readonly string[], usedAt: string | null = null) =>
  ({ name, permissions, last_used_at: usedAt }) as ApiKey;

const texts = key('texts', ['send_text']);
const templates = key('templates', ['send_template']);
const demo = key('demo', ['send_text', 'send_media', 'send_template'], '2026-11-29T09:00:00Z');
const older = key('older', ['send_text', 'send_media'], '2026-11-28T09:00:00Z');

describe('the key with which the playground opens', () => {
  it.each([
    ['button', texts],
    ['template', templates],
    ['template_send', templates],
    ['media', templates],
  ] as const)('may send %s, and is the newest of those that were never used', (type, expected) => {
    expect(firstKey([templates, texts], type)).toBe(expected);
  });

  it('is the one that was used last, so that a new key does not take its place', () => {
    expect(firstKey([texts, templates, older, demo], 'button')).toBe(demo);
    expect(firstKey([texts, templates, older, demo], 'media')).toBe(demo);
  });

  it('is any key where none may send the type: the answer says what is missing', () => {
    expect(firstKey([texts], 'media')).toBe(texts);
    expect(firstKey([], 'media')).toBeUndefined();
  });
});
